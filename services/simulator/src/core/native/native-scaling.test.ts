import type { Fleet } from '../platform/fleet';
import { createFleet } from '../platform/fleet';
import type { History, Signal } from '../platform/history';
import { nativeScaling, type NativePolicies } from './native-scaling';

const SIZE = { slotsPerTask: 50, configuredSlotsPerTask: 50, meanBusySeconds: 4 };
const LIMITS = { minTasks: 3, maxTasks: 100, startUp: { seconds: 0 } };

type Readings = Readonly<Partial<Record<Signal, number>>>;

/** A past in which every second read the same. */
function always(readings: Readings, fleet: Fleet): History {
  const value = (signal: Signal) =>
    signal === 'running' ? fleet.running : (readings[signal] ?? 0);
  return { mean: value, maximum: value };
}

/** Seconds at which the desired count changed, with what it became. */
function moves(policies: NativePolicies, readings: Readings, seconds: number, tasks = 10) {
  const fleet = createFleet(LIMITS, tasks);
  const scaling = nativeScaling(policies, SIZE);
  const seen: [number, number][] = [];
  for (let now = 1; now <= seconds; now += 1) {
    fleet.wake(now);
    const before = fleet.desired;
    scaling.act(now, always(readings, fleet), fleet);
    if (fleet.desired !== before) seen.push([now, fleet.desired]);
  }
  return seen;
}

const tracking = (signal: 'cpuPercent' | 'activeInvocationsPerTask', target: number) => ({
  name: 'cpu-target-tracking' as const,
  signal,
  target,
  scaleOutCooldownSeconds: 60,
  scaleInCooldownSeconds: 300,
});

const queueSteps = (addTasks: number) => ({
  name: 'queue-depth-step' as const,
  signal: 'bedrockQueueDepthMaximum' as const,
  scaleOut: {
    threshold: 50,
    inclusive: false,
    forSeconds: 120,
    periodSeconds: 10,
    cooldownSeconds: 60,
    steps: [{ from: 50, addTasks }],
  },
  scaleIn: {
    threshold: 20,
    inclusive: false,
    forSeconds: 600,
    periodSeconds: 60,
    cooldownSeconds: 300,
    steps: [{ from: 0, to: 20, addTasks: -1 }],
  },
});

test('target tracking needs three minutes above its target, then goes there in one move', () => {
  const policies = { targetTracking: [tracking('activeInvocationsPerTask', 40)], steps: [] };
  // 800 in flight on ten tasks: 80 each, twice the target.
  expect(moves(policies, { inFlight: 800 }, 400)).toEqual([[190, 20]]);
});

test('a reading at its target moves nothing', () => {
  const policies = { targetTracking: [tracking('activeInvocationsPerTask', 40)], steps: [] };
  expect(moves(policies, { inFlight: 400 }, 2_000)).toEqual([]);
});

test('target tracking needs fifteen minutes well below to give back', () => {
  const policies = { targetTracking: [tracking('activeInvocationsPerTask', 40)], steps: [] };
  expect(moves(policies, { inFlight: 200 }, 1_000)).toEqual([[910, 5]]);
});

test('one target-tracking policy that is not low keeps what another would give back', () => {
  const low = tracking('cpuPercent', 65);
  const busy = tracking('activeInvocationsPerTask', 40);
  const readings = { inFlight: 400, arrivals: 1 };
  expect(moves({ targetTracking: [low], steps: [] }, readings, 1_000)).toEqual([[910, 3]]);
  expect(moves({ targetTracking: [low, busy], steps: [] }, readings, 1_000)).toEqual([]);
});

test('steps are taken after the alarm time and again after each cooldown', () => {
  const policies = { targetTracking: [], steps: [queueSteps(2)] };
  // 1,000 waiting on ten tasks: 100 each.
  expect(moves(policies, { waiting: 1_000 }, 260)).toEqual([
    [130, 12],
    [190, 14],
    [250, 16],
  ]);
});

test('scale-in steps wait for their own, longer alarm and cooldown', () => {
  const policies = { targetTracking: [], steps: [queueSteps(2)] };
  expect(moves(policies, { waiting: 0 }, 1_000)).toEqual([
    [610, 9],
    [910, 8],
  ]);
});

test('the largest capacity wins outward', () => {
  const policies = {
    targetTracking: [tracking('activeInvocationsPerTask', 40)],
    steps: [{ ...queueSteps(2), scaleOut: { ...queueSteps(2).scaleOut, forSeconds: 180 } }],
  };
  // Both fire at 190 s: two more by step, twice as many by target.
  expect(moves(policies, { inFlight: 800, waiting: 1_000 }, 195)).toEqual([[190, 20]]);
});

test('the largest capacity wins inward', () => {
  const policies = {
    targetTracking: [tracking('activeInvocationsPerTask', 40)],
    steps: [{ ...queueSteps(2), scaleIn: { ...queueSteps(2).scaleIn, forSeconds: 900 } }],
  };
  // Both fire at 910 s: one fewer by step, half by target.
  expect(moves(policies, { inFlight: 200 }, 915)).toEqual([[910, 9]]);
});

test('a signal the model does not know neither adds nor takes', () => {
  const policies = {
    targetTracking: [],
    steps: [{ ...queueSteps(2), signal: 'normalisedWebSocketConnections' as const }],
  };
  expect(moves(policies, { waiting: 9_000 }, 2_000)).toEqual([]);
});
