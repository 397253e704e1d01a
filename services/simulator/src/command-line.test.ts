import { readCommandLine, usage } from './command-line';

test('nothing asked for is everything, with the usual seed', () => {
  expect(readCommandLine([])).toEqual({
    kind: 'run',
    options: {
      suite: false,
      tracesFolder: undefined,
      policies: undefined,
      traces: undefined,
      startupSeconds: undefined,
      seed: 7,
    },
  });
});

test('lists are separated by commas', () => {
  const args = [
    '--suite',
    '--policy',
    'ours, keda',
    '--startup',
    '50,15',
    '--trace=a,b',
    '--seed=9',
  ];
  expect(readCommandLine(args)).toMatchObject({
    kind: 'run',
    options: {
      suite: true,
      policies: ['ours', 'keda'],
      startupSeconds: [50, 15],
      traces: ['a', 'b'],
      seed: 9,
    },
  });
});

test.each([
  ['an unknown policy', ['--policy', 'best'], 'There is no policy "best"; there is: oracle, ours'],
  ['a seed that is no number', ['--seed', 'x'], '--seed takes whole numbers up to 4294967295'],
  ['a start-up of a day', ['--startup', '86400'], '--startup takes whole numbers up to 3600'],
  ['an unknown option', ['--sweet'], "Unknown option '--sweet'"],
])('%s is a mistake, said plainly', (_, args, message) => {
  const asked = readCommandLine(args);
  expect(asked.kind === 'mistake' && asked.message).toContain(message);
});

test('the usage names every option', () => {
  expect(readCommandLine(['-h'])).toEqual({ kind: 'usage' });
  for (const option of ['suite', 'traces', 'policy', 'trace', 'startup', 'seed']) {
    expect(usage()).toContain(`--${option}`);
  }
});
