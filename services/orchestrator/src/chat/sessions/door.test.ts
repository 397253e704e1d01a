import { configure, METRICS } from '@matsuri/contract';
import { sleep } from '@matsuri/resilience';
import { settled } from '@matsuri/resilience/testing';
import { createMetrics } from '@matsuri/telemetry';
import { createGatewayMetrics } from '../../gateway/gateway-metrics';
import { aCall, setGatewayStage } from '../../gateway/testing/gateway-stage';
import { Door, type DoorOptions } from './door';

const PATIENT = {
  maxQueueMs: 1_000,
  maxConnections: 3,
  shedAtLoopDelayMs: 60_000,
  onShed: () => undefined,
};
const doors: Door[] = [];

function doorTo(
  options: Pick<DoorOptions, 'gateway' | 'slots' | 'maxInHand'> & Partial<DoorOptions>,
): Door {
  const door = new Door({ ...PATIENT, ...options });
  doors.push(door);
  return door;
}

afterEach(() => {
  for (const door of doors.splice(0)) door.close();
});

/** Enters, and is answered by a model; without room, nothing happens. */
async function ask(door: Door, { gateway }: Pick<ReturnType<typeof setGatewayStage>, 'gateway'>) {
  if (!door.enter().admitted) return;
  try {
    const outcome = await gateway.open(aCall());
    if (outcome.kind === 'refused') return;
    for await (const batch of outcome.answer.events) expect(batch).toBeDefined();
  } finally {
    door.leave();
  }
}

test('a burst that the door turns away is read as the queue it is', async () => {
  const lines: string[] = [];
  const log = { warn: () => undefined };
  const metrics = createMetrics({
    namespace: 'test',
    service: 'test',
    log,
    write: (line) => void lines.push(line),
  });
  const observer = createGatewayMetrics({ metrics, configuration: configure() });
  const stage = setGatewayStage({}, [], observer);
  const door = doorTo({ gateway: stage.gateway, slots: 50, maxInHand: 300 });

  const begunAtMs = performance.now();
  for (let n = 0; n < 500; n += 1) void ask(door, stage);
  const tookMs = performance.now() - begunAtMs;
  await settled();
  metrics.close();

  const readings = lines.map((line) => JSON.parse(line) as Readonly<Record<string, number>>);
  const depths = readings.flatMap((it) => it[METRICS.bedrockQueueDepth.name] ?? []);
  expect(depths).toEqual([expect.any(Number)]);
  expect(Math.max(...depths)).toBeGreaterThan(400);
  // Refusals have 50 ms each; all of them together take a part of it.
  expect(tookMs).toBeLessThan(500);
  await stage.clock.advance(2_000);
});

test('who comes back as told is one who waits, and who found room waits no longer', async () => {
  const stage = setGatewayStage();
  const door = doorTo({ gateway: stage.gateway, slots: 50, maxInHand: 300 });
  let answered = 0;
  const insist = async (): Promise<void> => {
    for (;;) {
      const entry = door.enter();
      if (entry.admitted) break;
      await sleep(entry.retryAfterMs, stage.clock);
    }
    await sleep(10_000, stage.clock);
    answered += 1;
    door.leave();
  };
  for (let n = 0; n < 175; n += 1) void insist();
  const seen: number[] = [];
  for (let second = 0; second < 9; second += 1) {
    await stage.clock.advance(1_000);
    seen.push(stage.gateway.figures().outside);
  }
  expect(Math.max(...seen)).toBeLessThanOrEqual(100);
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(90);
  await stage.clock.advance(60_000);
  expect(answered).toBe(175);
  expect(stage.gateway.figures().outside).toBe(0);
});

test('answers that need no slot do not open the door to those that do', async () => {
  const waits: number[] = [];
  const attempted = (addedMs: number) => void waits.push(addedMs);
  const slots = 5;
  const stage = setGatewayStage({ gateway: { slotsPerTask: slots } }, [], { attempted });
  const door = doorTo({ gateway: stage.gateway, slots, maxInHand: 300 });
  // Four of five are found in the cache; the rest is more than twice what five slots of 200 ms can do.
  for (let n = 0; n < 3_000; n += 1) {
    if (n % 5 === 0) void ask(door, stage);
    else if (door.enter().admitted) stage.clock.after(5, () => door.leave());
    await stage.clock.advance(10 / 3);
  }
  const lately = waits.slice(-100).toSorted((a, b) => a - b);
  expect(lately[90]).toBeGreaterThan(500);
  expect(lately[90]).toBeLessThan(1_200);
});

test('calls that are no messages take room as well', async () => {
  const stage = setGatewayStage();
  const door = doorTo({ gateway: stage.gateway, slots: 50, maxInHand: 300 });
  for (let n = 0; n < 75; n += 1) void stage.gateway.complete(aCall());
  expect(door.enter()).toMatchObject({ admitted: false, reason: 'queue' });
  await stage.clock.advance(1_000);
  expect(door.enter().admitted).toBe(true);
});

/** A door to nowhere, and why it was shut. */
function aDoor(shedAtLoopDelayMs: number) {
  const { gateway } = setGatewayStage();
  const onShed = jest.fn<undefined, [string]>();
  return {
    door: doorTo({ gateway, slots: 50, maxInHand: 300, shedAtLoopDelayMs, onShed }),
    onShed,
  };
}

/** Holds up the event loop, and lets the door notice. */
async function keepBusy(): Promise<void> {
  const untilMs = performance.now() + 300;
  while (performance.now() < untilMs);
  await new Promise((resolve) => setTimeout(resolve));
}

test('a connection is let in while there is a place', () => {
  const { door, onShed } = aDoor(60_000);
  expect(door.connect(2)).toEqual({ admitted: true });
  expect(door.connect(3)).toEqual({ admitted: false, retryAfterMs: 5_000 });
  expect(onShed.mock.calls).toEqual([['connections']]);
});

test('nothing new is opened while the event loop is hopelessly late', async () => {
  const { door, onShed } = aDoor(1);
  expect(door.open()).toEqual({ admitted: true });
  await keepBusy();
  expect(door.open()).toEqual({ admitted: false, retryAfterMs: 1_000 });
  expect(door.connect(0)).toEqual({ admitted: false, retryAfterMs: 1_000 });
  expect(onShed.mock.calls).toEqual([['event_loop'], ['event_loop']]);
});
