import { readCommandLine, usage } from './command-line';

test('nothing asked for is everything, with the usual seed', () => {
  expect(readCommandLine([])).toEqual({
    kind: 'run',
    options: {
      suite: false,
      environment: 'prod',
      tracesFolder: undefined,
      policies: undefined,
      traces: undefined,
      startupSeconds: undefined,
      variance: true,
      seed: 7,
    },
  });
});

test.each([
  ['tasks differ', [], true],
  ['all tasks of a suite take the same time, as published', ['--suite'], false],
  ['a suite may differ', ['--suite', '--variance'], true],
  ['a run may not', ['--no-variance'], false],
  ['a gate may not', ['--gate', '--no-variance'], false],
])('%s', (_, args, variance) => {
  expect(readCommandLine(args)).toMatchObject({ options: { variance } });
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
  ['no date', ['--gate', '--from', 'soon'], '--from takes a date such as 2026-11-27'],
  ['a day without a gate', ['--days', '3'], '--days needs --gate'],
  ['an environment of a suite', ['--suite', '--env', 'prod'], '--suite does not go with --env'],
  ['a gate of a suite', ['--gate', '--suite'], '--gate does not go with --suite'],
])('%s is a mistake, said plainly', (_, args, message) => {
  const asked = readCommandLine(args);
  expect(asked.kind === 'mistake' && asked.message).toContain(message);
});

test('a gate looks at production for a year from the present hour on', () => {
  const now = Date.parse('2026-11-18T04:27:31Z');
  expect(readCommandLine(['--gate'], now)).toEqual({
    kind: 'gate',
    options: {
      environment: 'prod',
      fromMs: Date.parse('2026-11-18T04:00:00Z'),
      days: 365,
      startupSeconds: undefined,
      variance: true,
      seed: 7,
    },
  });
  const args = [
    '--gate',
    '--env',
    'staging',
    '--from',
    '2026-11-27',
    '--days',
    '4',
    '--startup=15',
  ];
  expect(readCommandLine(args, now)).toMatchObject({
    options: {
      environment: 'staging',
      fromMs: Date.UTC(2026, 10, 27),
      days: 4,
      startupSeconds: 15,
    },
  });
});

test('the usage names every option', () => {
  expect(readCommandLine(['-h'])).toEqual({ kind: 'usage' });
  const options = 'suite traces policy trace startup variance seed gate env from days'.split(' ');
  for (const option of options) {
    expect(usage()).toContain(`--${option}`);
  }
});
