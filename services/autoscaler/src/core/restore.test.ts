import fc from 'fast-check';
import { NIGHT_MS, shipped, snapshotAt } from '../../test/cycles';
import { TRACES_PER_CLAUSE, live, trace } from '../../test/traces';
import { FRESH_STATE, decide, encodeState, explain, restoreState } from './index';

test('a state survives being written and read, and then decides the same', () => {
  fc.assert(
    fc.property(trace, (one) => {
      let cycles = 0;
      live(one, ({ before, snapshot, configuration, nowMs, decision }) => {
        cycles += 1;
        if (cycles % 10 !== 0) return;
        const restored = restoreState(encodeState(before));
        expect(restored).toEqual(before);
        expect(decide(restored, snapshot, configuration, nowMs)).toEqual(decision);
      });
    }),
    { numRuns: Math.ceil(TRACES_PER_CLAUSE / 2) },
  );
});

test('anything else is a fresh state', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.constant(null)), (stored) => {
      expect(restoreState(stored)).toBe(FRESH_STATE);
    }),
  );
});

test('a field of the wrong kind makes the whole of it unbelievable', () => {
  const { state } = decide(FRESH_STATE, snapshotAt(NIGHT_MS), shipped, NIGHT_MS);
  for (const broken of [
    { ...state, version: 2 },
    { ...state, reported: 'panic' },
    { ...state, tasks: { ...state.tasks, floor: -1 } },
    { ...state, tasks: { ...state.tasks, floor: 1.5 } },
    { ...state, capacity: { complex: state.capacity.complex } },
    { ...state, lanes: { complex: { rung: 1 } } },
    { ...state, history: [{ atMs: 'yesterday' }] },
  ]) {
    expect(restoreState(JSON.stringify(broken))).toBe(FRESH_STATE);
  }
});

test('a state from the future is not believed: what runs is adopted and watched', () => {
  const later = decide(FRESH_STATE, snapshotAt(NIGHT_MS), shipped, NIGHT_MS);
  const anHourBeforeMs = NIGHT_MS - 3_600_000;
  const seen = snapshotAt(anHourBeforeMs, { tasks: 40 });
  const { plan, state } = decide(later.state, seen, shipped, anHourBeforeMs);
  expect(plan.tasks.floor).toBe(40);
  expect(state.completeSinceMs).toBe(anHourBeforeMs);
});

test('impossible readings neither throw nor reach the plan', () => {
  const odd = fc.oneof(
    fc.constantFrom(NaN, Infinity, -Infinity, -1, -0, Number.MAX_VALUE, 5e-324),
    fc.double(),
  );
  fc.assert(
    fc.property(fc.array(odd, { minLength: 9, maxLength: 9 }), (values) => {
      const [inFlight, waiting, queueDepth, latencyP99Ms, complex, simple, a, b, tasks] = values;
      const seen = { inFlight, waiting, queueDepth, latencyP99Ms, complex, simple, tasks };
      const snapshot = snapshotAt(NIGHT_MS, { ...seen, throttles: { complex: a, simple: b } });
      const { state, plan } = decide(FRESH_STATE, snapshot, shipped, NIGHT_MS);
      expect(plan.tasks.floor).toBeGreaterThanOrEqual(0);
      expect(plan.tasks.floor).toBeLessThanOrEqual(100);
      expect(restoreState(encodeState(state))).not.toBe(FRESH_STATE);
      expect(explain(state, plan)).not.toMatch(/NaN|undefined/);
    }),
  );
});
