/** Whole cycles over the real adapters: what is applied, what a failure leaves, and who is refused. */
import { FLOOR_EXPIRY_ACTION, type PlatformOverrides } from '@matsuri/contract';
import { createLogger, createMetrics } from '@matsuri/telemetry';
import { openClients, type Clients } from '../src/clients';
import { loadConfig } from '../src/config';
import { Leadership } from '../src/leadership/leadership';
import type { Time } from '../src/ports';
import { Reconciler } from '../src/reconcile/reconciler';
import { metricsOf, type Demand } from './world/traffic';
import { startWorld, type CapacityWorld } from './world/world';

const START = '2026-06-09T10:00:00+09:00';
const CYCLE_MS = 10_000;
const CROWD: Demand = { tokensPerSecond: 12_000 };

let world: CapacityWorld;
let nowMs: number;
const clients: Clients[] = [];
const saved = { ...process.env };

const time: Time = {
  nowMs: () => nowMs,
  monotonicMs: () => nowMs,
  after: () => () => undefined,
};

async function begin(overrides: PlatformOverrides = {}): Promise<void> {
  world = await startWorld({
    timeScale: 1,
    startAt: START,
    overrides: { environment: 'test', calendar: { weekly: [], events: [] }, ...overrides },
    tasks: 0,
  });
  Object.assign(process.env, world.environment);
  nowMs = Math.round(world.clock.nowMs());
}

afterEach(async () => {
  for (const it of clients.splice(0)) it.close();
  await world.close();
  process.env = { ...saved };
});

/** An autoscaler whose cycles the test runs. */
function member(owner: string, variables: Readonly<Record<string, string>> = {}): Reconciler {
  const config = loadConfig({ ...process.env, ...variables }, nowMs);
  const log = createLogger({ service: 'autoscaler', level: 'silent' });
  const metrics = createMetrics({
    namespace: 'Test',
    service: 'autoscaler',
    log,
    write: () => undefined,
  });
  metrics.close();
  const opened = openClients(config, log);
  clients.push(opened);
  const { platform: configuration, mode } = config;
  const leaseMs = configuration.autoscaler.leaseSeconds * 1_000;
  const leadership = new Leadership({ table: opened.leaseTable, owner, leaseMs, time });
  return new Reconciler({
    ...opened,
    configuration,
    mode,
    owner,
    leadership,
    time,
    metrics,
    log,
  });
}

/** One period of a demand, as ten tasks would report it. */
function report(demand: Demand): void {
  nowMs += CYCLE_MS;
  const startMs = Math.floor(nowMs / CYCLE_MS) * CYCLE_MS - CYCLE_MS;
  world.cloudwatch.put(metricsOf(world.configuration, 10, demand, startMs));
}

test('a load raises the floor, after the switch that returns it was put', async () => {
  await begin();
  report(CROWD);
  expect(await member('a').cycle()).toBe('applied');
  expect(world.floor()).toBeGreaterThan(20);
  const calls = world.scaling.calls().map(({ operation }) => operation);
  expect(calls.indexOf('PutScheduledAction')).toBeLessThan(
    calls.lastIndexOf('RegisterScalableTarget'),
  );
  expect(world.scaling.calls('PutScheduledAction').at(-1)?.input).toMatchObject({
    ScheduledActionName: FLOOR_EXPIRY_ACTION,
    ScalableTargetAction: { MinCapacity: 10 },
  });
});

test('a cycle that changes nothing only renews the switch', async () => {
  await begin();
  report(CROWD);
  const a = member('a');
  await a.cycle();
  const registered = world.scaling.calls('RegisterScalableTarget').length;
  report(CROWD);
  await a.cycle();
  expect(world.scaling.calls('RegisterScalableTarget')).toHaveLength(registered);
  expect(world.scaling.calls('PutScheduledAction')).toHaveLength(2);
});

test('what failed is done by the next cycle, and the rest was done anyway', async () => {
  await begin();
  report(CROWD);
  const refused = { kind: 'error', code: 'ConcurrentUpdateException' } as const;
  world.scaling.faults.inject('RegisterScalableTarget', refused);
  const a = member('a');
  expect(await a.cycle()).toBe('partial');
  expect(world.floor()).toBe(0);
  expect(await world.redisRecord('capacity:mitigations')).not.toBeNull();
  report(CROWD);
  expect(await a.cycle()).toBe('applied');
  expect(world.floor()).toBeGreaterThan(20);
});

test('a source that does not answer holds what is there', async () => {
  await begin();
  report(CROWD);
  const a = member('a');
  await a.cycle();
  const floor = world.floor();
  world.cloudwatch.faults.inject('GetMetricData', { kind: 'error', code: 'InvalidNextToken' }, 100);
  for (let cycle = 0; cycle < 40; cycle += 1) {
    nowMs += CYCLE_MS;
    await a.cycle();
  }
  expect(world.floor()).toBe(floor);
}, 30_000);

test('plan mode decides and changes nothing', async () => {
  await begin();
  report(CROWD);
  expect(await member('a', { MODE: 'plan' }).cycle()).toBe('planned');
  expect(world.floor()).toBe(0);
  expect(await world.redisRecord('capacity:mitigations')).toBeNull();
  expect(await world.stateEpoch()).toBe(0);
});

test('a successor goes on where the other stopped, and the other is refused', async () => {
  await begin();
  const [a, b] = [member('a'), member('b')];
  report(CROWD);
  await a.cycle();
  const floor = world.floor();
  expect(await b.cycle()).toBe('standby');
  for (let cycle = 0; cycle < 4; cycle += 1) {
    report({ tokensPerSecond: 500 });
    await b.cycle();
  }
  expect(await world.stateEpoch()).toBe(2);
  // Its wants are remembered: nothing shrinks although the load is gone.
  expect(world.floor()).toBe(floor);
  expect(await a.cycle()).toBe('standby');
});

test('a process that is overtaken while it reads is refused before it acts', async () => {
  await begin();
  const [a, b] = [member('a'), member('b')];
  report({ tokensPerSecond: 500 });
  await a.cycle();
  await b.cycle();
  const registered = world.scaling.calls('RegisterScalableTarget').length;

  report(CROWD);
  // The reply to its reading comes late; in between the lease runs out and is taken.
  world.cloudwatch.faults.inject('GetMetricData', { kind: 'slow', delayMs: 2_000 });
  const overtaken = a.cycle();
  await waitFor(() => world.cloudwatch.calls('GetMetricData').length === 2);
  await b.cycle();
  nowMs += 40_000;
  await b.cycle();
  expect(await world.stateEpoch()).toBe(2);
  const byB = world.scaling.calls('RegisterScalableTarget').length - registered;
  expect(await overtaken).toBe('fenced');
  expect(world.scaling.calls('RegisterScalableTarget')).toHaveLength(registered + byB);
});

test('a purchase whose answer is lost is not made twice', async () => {
  await begin({ provisioned: { enabled: true } });
  const a = member('a');
  world.market.faults.inject(
    'CreateProvisionedModelThroughput',
    { kind: 'reset-after-success' },
    2,
  );
  for (let cycle = 0; cycle < 5; cycle += 1) {
    report({ tokensPerSecond: 500 });
    await a.cycle();
  }
  const bought = world.market
    .throughputs()
    .map(({ name, modelUnits }) => [name.split('-')[2], modelUnits]);
  expect(bought.toSorted()).toEqual([
    ['complex', 5],
    ['simple', 3],
  ]);
});

test('freezing stops its direction, and the kill switch the purchases', async () => {
  await begin({ provisioned: { enabled: true } });
  const a = member('a');
  const { switches } = clients[0]?.sources ?? {};
  const note = { by: 'test', reason: 'a drill', atMs: nowMs };
  await switches?.set('freezeScaleOut', note);
  await switches?.set('provisionedOff', note);
  report(CROWD);
  await a.cycle();
  expect(world.floor()).toBe(0);
  await switches?.clear('freezeScaleOut');
  report(CROWD);
  await a.cycle();
  expect(world.floor()).toBeGreaterThan(20);
  expect(world.market.throughputs()).toEqual([]);
});

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
