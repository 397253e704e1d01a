import { MITIGATIONS } from '@matsuri/contract';
import { CYCLE_MS, NIGHT_MS, lastOf, run, type Seen } from '../../../test/cycles';

const names = (decisions: ReturnType<typeof run>) =>
  decisions.map((it) => it.plan.mitigations.active.map((one) => one.mitigation));

const throttled: Seen = { throttles: { complex: 12 } };

test('throttles of the complex model climb the ladder, one mitigation a cycle, mildest first', () => {
  expect(names(run({ cycles: 6, see: () => throttled }))).toEqual([
    ['coalesce'],
    ['coalesce', 'shift_to_simple'],
    ['coalesce', 'shift_to_simple', 'extend_cache'],
    ['coalesce', 'shift_to_simple', 'extend_cache', 'templates'],
    [...MITIGATIONS],
    [...MITIGATIONS],
  ]);
});

test('nothing is shifted onto a simple model that is throttled itself', () => {
  const both = run({ cycles: 6, see: () => ({ throttles: { complex: 12, simple: 3 } }) });
  expect(names(both).flat()).not.toContain('shift_to_simple');
});

test('answers are cached longer, and the reason names what was seen', () => {
  const { plan } = lastOf(run({ cycles: 3, see: () => throttled }));
  expect(plan.mitigations.cacheSeconds).toBe(120);
  expect(plan.mitigations.active[0]).toEqual({
    mitigation: 'coalesce',
    sinceMs: NIGHT_MS,
    reason: '12 throttles of the complex model',
  });
});

test('when throttles stop, one mitigation a minute is taken back, strongest first', () => {
  const decisions = run({ cycles: 60, see: (cycle) => (cycle < 6 ? throttled : {}) });
  const counts = names(decisions).map((it) => it.length);
  const changes = counts.flatMap((count, cycle) =>
    cycle > 5 && count !== counts[cycle - 1] ? [{ cycle, count }] : [],
  );
  expect(changes.map((it) => it.count)).toEqual([4, 3, 2, 1, 0]);
  expect(changes.map((it) => it.cycle)).toEqual([11, 17, 23, 29, 35]);
  expect(lastOf(decisions).plan.mitigations.cacheSeconds).toBe(30);
  expect(lastOf(decisions).plan.state).toBe('stable');
});

test('while nobody knows whether throttles stopped, nothing is taken back', () => {
  const unknown: Seen = { throttles: { complex: undefined, simple: undefined } };
  const decisions = run({ cycles: 60, see: (cycle) => (cycle < 6 ? throttled : unknown) });
  expect(lastOf(decisions).plan.mitigations.active).toHaveLength(5);
});

test('a person is called when the ladder is used up, and again when five minutes did not help', () => {
  const decisions = run({ cycles: 40, see: () => throttled });
  const calls = decisions.flatMap(({ plan }, cycle) =>
    plan.pages.map((page) => ({ cycle, key: page.key, severity: page.severity })),
  );
  expect(calls).toEqual([
    { cycle: 4, key: 'mitigating', severity: 'page' },
    { cycle: 30, key: 'throttling-persists:complex', severity: 'page' },
  ]);
});

test('the same page comes again only after its period', () => {
  const decisions = run({ cycles: 100, see: () => throttled });
  const cycles = decisions.flatMap(({ plan }, cycle) =>
    plan.pages.some((page) => page.key === 'mitigating') ? [cycle] : [],
  );
  expect(cycles).toEqual([4, 4 + 900_000 / CYCLE_MS]);
});

test('a queue emergency answers with templates at once and calls a person next', () => {
  const queue: Seen = { tasks: 20, inFlight: 1_000, waiting: 4_000, queueDepth: 220 };
  const decisions = run({ cycles: 2, see: () => queue });
  expect(names(decisions)).toEqual([['templates'], ['templates', 'page']]);
  expect(decisions[0]?.plan.state).toBe('emergency');
});

test('an event that fills what was prepared for it gets more from the cache', () => {
  const duringRelease = Date.parse('2026-06-08T00:30:00+09:00');
  const see = (cycle: number): Seen => ({ tasks: 100, complex: cycle < 3 ? 45_000 : 20_000 });
  const decisions = run({ fromMs: duringRelease, cycles: 12, see });
  expect(decisions[0]?.plan.mitigations).toMatchObject({
    cacheSeconds: 90,
    active: [{ mitigation: 'extend_cache' }],
  });
  expect(lastOf(decisions).plan.mitigations).toMatchObject({ cacheSeconds: 30, active: [] });
});
