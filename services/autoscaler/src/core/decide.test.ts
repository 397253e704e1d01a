import { configure } from '@matsuri/contract';
import { FRESH_STATE, decide, type Snapshot } from './index';

const configuration = configure();
/** A Tuesday, 03:00 in Tokyo: trough, no event. */
const NIGHT_MS = Date.parse('2026-06-09T03:00:00+09:00');

function snapshot(nowMs: number, load: { busy: number; tokens: number }, tasks: number): Snapshot {
  const reading = (value: number) => ({ value, atMs: nowMs });
  return {
    tasks: { running: tasks, desired: tasks, minCapacity: tasks },
    service: {
      inFlight: reading(load.busy),
      waiting: reading(0),
      queueDepth: reading(0),
      latencyP99Ms: reading(800),
    },
    models: {
      complex: { tokensPerSecond: reading(load.tokens * 0.6), throttles: reading(0) },
      simple: { tokensPerSecond: reading(load.tokens * 0.4), throttles: reading(0) },
    },
    throughputs: [],
    freeze: { scaleIn: false, scaleOut: false },
  };
}

test('a load that needs more tasks raises the floor at once, and says why', () => {
  const { plan } = decide(
    FRESH_STATE,
    snapshot(NIGHT_MS, { busy: 400, tokens: 3_000 }, 5),
    configuration,
    NIGHT_MS,
  );
  expect(plan.tasks).toMatchObject({ floor: 10, change: 'raise' });
  expect(plan.state).toBe('scaling_out');
  expect(plan.tasks.reason).toBe(
    'raise at 10 (up from 5): 3,000 tokens/s and 400 busy slots (400 over a minute) need 10 tasks',
  );
});

test('a quiet night is stable', () => {
  const { plan } = decide(
    FRESH_STATE,
    snapshot(NIGHT_MS, { busy: 20, tokens: 300 }, 5),
    configuration,
    NIGHT_MS,
  );
  expect(plan.state).toBe('stable');
  expect(plan.tasks.floor).toBe(5);
});
