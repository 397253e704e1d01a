import { COMMON_SCRIPTS, conduct } from './stand-in-conduct';

const NAMES = [...COMMON_SCRIPTS, 'throttle'] as const;
const CALM = {
  latencyMs: 20,
  jitterMs: 0,
  failureRate: 0,
  failure: 'throttle',
  script: 'ok',
} as const;

const draws = (...values: number[]) => {
  const queue = [...values];
  return () => queue.shift() ?? 0;
};

test('a calm stand-in answers after its latency', () => {
  expect(conduct(NAMES, CALM, draws()).next()).toEqual({
    waitMs: 20,
    script: { name: 'ok', delayMs: 2_000 },
  });
});

test('an injected script is met by as many calls as it was meant for, in order', () => {
  const behaviour = conduct(NAMES, CALM, draws());
  behaviour.inject('throttle', 2);
  behaviour.inject('hang');
  const met = Array.from({ length: 4 }, () => behaviour.next().script.name);
  expect(met).toEqual(['throttle', 'throttle', 'hang', 'ok']);
});

test("a call's own script leaves the injected ones for others", () => {
  const behaviour = conduct(NAMES, CALM, draws());
  behaviour.inject('throttle');
  expect(behaviour.next('reset').script.name).toBe('reset');
  expect(behaviour.next().script.name).toBe('throttle');
});

test('slowness adds to the latency, jitter spreads it', () => {
  const behaviour = conduct(NAMES, { ...CALM, jitterMs: 10 }, draws(0.5, 0.25));
  expect(behaviour.next('slow; delayMs=300').waitMs).toBe(325);
  expect(behaviour.next().waitMs).toBe(22.5);
});

test('failures are drawn at the rate asked for', () => {
  const behaviour = conduct(NAMES, CALM, draws(0.29, 0.3, 0.31));
  behaviour.configure({ failureRate: 0.3 });
  const met = Array.from({ length: 3 }, () => behaviour.next().script.name);
  expect(met).toEqual(['throttle', 'ok', 'ok']);
});

test('clearing returns to where it began', () => {
  const behaviour = conduct(NAMES, CALM, draws());
  behaviour.configure({ script: 'hang', latencyMs: 5 });
  behaviour.inject('reset');
  behaviour.clear();
  expect(behaviour.settings()).toEqual(CALM);
  expect(behaviour.next().script.name).toBe('ok');
});

test('an unknown script is refused and changes nothing', () => {
  const behaviour = conduct(NAMES, CALM, draws());
  expect(() => behaviour.inject('explode')).toThrow(/throttle/);
  expect(() => behaviour.next('slow; delay=3')).toThrow(/delay/);
  expect(() => behaviour.configure({ failureRate: 2 })).toThrow(/failureRate/);
  expect(behaviour.next().script.name).toBe('ok');
});
