import { parseTrace } from './parse-trace';

test('single requests are read in the order of their arrival', () => {
  const trace = parseTrace('a', 't_s,input_tokens,output_tokens\n4.5,10,20\n0.25,30,40\n');
  expect(trace).toEqual({
    kind: 'requests',
    name: 'a',
    requests: [
      { atSeconds: 0.25, inputTokens: 30, outputTokens: 40 },
      { atSeconds: 4.5, inputTokens: 10, outputTokens: 20 },
    ],
  });
});

test('rates are read with the length of their windows, line ends of any kind', () => {
  const text = 't_s,rps,rate_weighted_cv,active_clients\r\n0,1.5,2,3\r\n600,0,0,0\r\n';
  expect(parseTrace('b', text)).toEqual({
    kind: 'rates',
    name: 'b',
    windowSeconds: 600,
    requestsPerSecond: [1.5, 0],
  });
});

const REQUESTS = 't_s,input_tokens,output_tokens';
const RATES = 't_s,rps,rate_weighted_cv,active_clients';

test.each([
  ['other columns', 'time,tokens\n1,2\n', 'x, line 1: the columns must be t_s,input_tokens'],
  ['an empty file', '', 'x, line 1: the columns must be'],
  ['a header alone', `${REQUESTS}\n`, 'x, line 1: there is nothing below the header'],
  ['a missing field', `${REQUESTS}\n1,2\n`, 'x, line 2: 2 fields where 3 are due'],
  ['a word', `${REQUESTS}\n1,2,3\n1,two,3\n`, 'x, line 3: input_tokens is "two", not a number'],
  ['a hole', `${REQUESTS}\n1,,3\n`, 'x, line 2: input_tokens is ""'],
  ['a negative number', `${REQUESTS}\n1,-2,3\n`, 'x, line 2: input_tokens is "-2"'],
  ['one window only', `${RATES}\n0,1,1,1\n`, 'x, line 3: windows must be'],
  ['a gap between windows', `${RATES}\n0,1,1,1\n600,1,1,1\n1800,1,1,1\n`, 'x, line 4: the window'],
])('%s is refused, with the line', (_, text, message) => {
  expect(() => parseTrace('x', text)).toThrow(message);
});
