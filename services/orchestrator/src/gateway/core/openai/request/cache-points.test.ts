import { accepted, lookUp, text, user } from '../test/samples';

const POINT = { type: 'cache-point', ttl: '5m' };
const LONG = 'The shop opens at ten. '.repeat(1_000);
const marked = (words: string) => ({
  ...text(words),
  prompt_cache_breakpoint: { mode: 'explicit' },
});
const system = (content: unknown) => ({ role: 'system', content });

test('long instructions are worth a cache point, short ones are not', () => {
  const long = accepted({ messages: [system(LONG), user('Hi')] });
  expect(long.request.system.at(-1)).toEqual(POINT);
  const short = accepted({ messages: [system('Be brief.'), user('Hi')] });
  expect(short.request.system).toEqual([text('Be brief.')]);
});

test('tools stand before the instructions and count with them', () => {
  const messages = [system('Be brief.'), user('Hi')];
  const tools = [lookUp({ type: 'object', description: LONG })];
  expect(accepted({ messages, tools }).request.system.at(-1)).toEqual(POINT);
});

test('a caller who asks for explicit marks only gets no other', () => {
  const messages = [system(LONG), user('Hi')];
  const { request } = accepted({ messages, prompt_cache_options: { mode: 'explicit' } });
  expect(request.system).toEqual([text(LONG)]);
});

test.each([
  ['prompt_cache_breakpoint', { mode: 'explicit', ttl: '30m' }],
  ['cache_control', { type: 'ephemeral' }],
])('a part marked by %s is followed by a cache point', (name, mark) => {
  const messages = [user([{ ...text('Long story'), [name]: mark }, text('What then?')])];
  expect(accepted({ messages }).request.messages[0]?.content).toEqual([
    text('Long story'),
    POINT,
    text('What then?'),
  ]);
});

test('there is no cache point after nothing', () => {
  const messages = [user([marked(' '), text('Hi')])];
  expect(accepted({ messages }).request.messages[0]?.content).toEqual([text('Hi')]);
});

test('of more marks than a model takes, the last ones count', () => {
  const parts = ['1', '2', '3', '4', '5', '6'].map(marked);
  const content = accepted({ messages: [user(parts)] }).request.messages[0]?.content;
  const followed = content?.filter((_, at) => content[at + 1]?.type === 'cache-point');
  expect(followed).toEqual(['3', '4', '5', '6'].map(text));
});
