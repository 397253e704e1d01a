import {
  ConfigurationError,
  configure,
  decodeConfiguration,
  defaultConfiguration,
  encodeOverrides,
} from './configure';

function problemsOf(action: () => unknown): readonly string[] {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

test('an override changes its figure and nothing else', () => {
  const changed = configure({ gateway: { slotsPerTask: 60 } });
  expect(changed).toEqual({
    ...defaultConfiguration,
    gateway: { ...defaultConfiguration.gateway, slotsPerTask: 60 },
  });
});

test('a list is replaced whole', () => {
  expect(configure({ calendar: { events: [] } }).calendar.events).toEqual([]);
});

test('a chosen profile brings its own limits, which may be overridden in turn', () => {
  const { scaling } = configure({ profile: 'baseline', scaling: { maxTasks: 40 } });
  expect([scaling.minTasks, scaling.maxTasks, scaling.steps.length]).toEqual([3, 40, 1]);
});

test('overrides survive the journey through an environment variable', () => {
  const overrides = { profile: 'baseline', environment: 'dev', jobs: { maxTasks: 4 } } as const;
  expect(decodeConfiguration(encodeOverrides(overrides))).toEqual(configure(overrides));
});

test('every problem is named by its path', () => {
  const text = JSON.stringify({
    gateway: { slotsPerTask: -1, slots: 50 },
    profile: 'turbo',
    calendar: { weekly: [{}] },
  });
  expect(problemsOf(() => decodeConfiguration(text))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^gateway\.slotsPerTask: /),
      expect.stringMatching(/^gateway: .*"slots"/),
      expect.stringMatching(/^profile: /),
      expect.stringMatching(/^calendar\.weekly\.0\.name: /),
    ]),
  );
});

test('text that is not JSON, and JSON that is not an object, are refused', () => {
  expect(problemsOf(() => decodeConfiguration('{'))).toEqual(['the overrides are not JSON']);
  expect(problemsOf(() => decodeConfiguration('[]'))).toHaveLength(1);
});

test('a crafted prototype key does not reach any prototype', () => {
  const crafted = '{"__proto__":{"polluted":true},"gateway":{"__proto__":{"polluted":true}}}';
  expect(problemsOf(() => decodeConfiguration(crafted))).not.toEqual([]);
  expect(Object.prototype).not.toHaveProperty('polluted');
});
