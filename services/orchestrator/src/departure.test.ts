import { settled } from '@matsuri/resilience/testing';
import type { TargetWatch } from './chat/sessions/target-watch';
import { planDeparture, type DepartureOptions } from './departure';

const NEVER = new Promise<never>(() => undefined);
const healthCheck = { intervalSeconds: 60, healthyCount: 2, unhealthyCount: 3 };

function aTarget() {
  const draining = Promise.withResolvers<undefined>();
  const unrouted = Promise.withResolvers<undefined>();
  const stop = jest.fn();
  const watch: TargetWatch = {
    draining: draining.promise,
    whenUnrouted: () => unrouted.promise,
    stop,
  };
  return { watch, stop, drain: draining.resolve, unroute: unrouted.resolve };
}

function plan(options: Partial<DepartureOptions> = {}) {
  const takeTurn = () => Promise.resolve(true);
  const departure = planDeparture({ servedEnough: NEVER, takeTurn, healthCheck, ...options });
  const due = jest.fn();
  void departure.due.then(due);
  return { departure, due };
}

const forever = () => new AbortController().signal;

test('a task that has served its time goes when it is its turn', async () => {
  const turn = Promise.withResolvers<boolean>();
  const { departure, due } = plan({
    servedEnough: Promise.resolve(),
    takeTurn: () => turn.promise,
  });
  await settled();
  expect(due).not.toHaveBeenCalled();
  turn.resolve(true);
  expect(await departure.due).toBe('recycle');
  expect(departure.reason()).toBe('recycle');
});

test('one that is drained while it waits for its turn gives that up', async () => {
  const { watch, drain } = aTarget();
  const signals: AbortSignal[] = [];
  const { departure } = plan({
    servedEnough: Promise.resolve(),
    takeTurn: (signal) => {
      signals.push(signal);
      return NEVER;
    },
    target: watch,
  });
  await settled();
  drain(undefined);
  expect(await departure.due).toBe('drain');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('one that was told by a signal has no use for a turn that comes after', async () => {
  const turn = Promise.withResolvers<boolean>();
  const { departure, due } = plan({
    servedEnough: Promise.resolve(),
    takeTurn: () => turn.promise,
  });
  await departure.unrouted(forever());
  turn.resolve(true);
  await settled();
  expect(due).not.toHaveBeenCalled();
  expect(departure.reason()).toBe('drain');
});

test('who goes by itself serves until the balancer has noticed, and watches it until then', async () => {
  const { watch, stop, unroute } = aTarget();
  const { departure } = plan({ servedEnough: Promise.resolve(), target: watch });
  await departure.due;
  const unrouted = departure.unrouted(forever());
  await settled();
  expect(stop).not.toHaveBeenCalled();
  unroute(undefined);
  await unrouted;
  expect(stop).toHaveBeenCalledTimes(1);
});

test.each([
  ['nobody can say how the balancer sees it', undefined],
  ['the balancer never says that it has noticed', aTarget().watch],
])('where %s, the time the balancer takes is waited for', async (_, target) => {
  const quick = { intervalSeconds: 0.05, healthyCount: 2, unhealthyCount: 3 };
  const { departure } = plan({
    servedEnough: Promise.resolve(),
    healthCheck: quick,
    ...(target && { target }),
  });
  await departure.due;
  const fromMs = performance.now();
  await departure.unrouted(forever());
  expect(performance.now() - fromMs).toBeGreaterThan(190);
});

test('who was told to go has left its balancer already', async () => {
  const { watch, stop } = aTarget();
  const { departure } = plan({ target: watch });
  await departure.unrouted(forever());
  expect(stop).toHaveBeenCalledTimes(1);
});

test('a drain that runs out of time waits for no balancer', async () => {
  const { departure } = plan({ servedEnough: Promise.resolve() });
  await departure.due;
  await departure.unrouted(AbortSignal.abort());
});
