/**
 * A crowd nobody announced: from the breach to a new task that serves, by the clock of the stand-ins. Then what is
 * left when autoscalers freeze, wake up as zombies, and die.
 */
import { METRIC_PERIOD_SECONDS, METRICS, type PlatformOverrides } from '@matsuri/contract';
import { renderTable } from '@matsuri/telemetry';
import { publishTraffic } from '../../../services/autoscaler/test/world/traffic';
import { startWorld, type CapacityWorld } from '../../../services/autoscaler/test/world/world';
import { eventually } from '../../chaos/harness/eventually';
import type { ProgramProcess } from '../../chaos/harness/program-process';
import { startCast, type Cast } from './autoscaler-process';

const SCHEDULED_FLOOR = 10;
const PERIOD_MS = METRIC_PERIOD_SECONDS * 1_000;
/** As modelled, after a task runs. */
const HEALTHY_SECONDS = 10;
const TRAFFIC_SECONDS = 5;

const overrides: PlatformOverrides = {
  environment: 'e2e',
  calendar: { weekly: [], events: [] },
  autoscaler: { floorExpirySeconds: 60 },
};

let world: CapacityWorld;
let cast: Cast;
let stopTraffic: () => void;
let tokensPerSecond = 2_000;

beforeAll(async () => {
  cast = await startCast(['first', 'second']);
  const startAt = '2026-06-09T07:00:00+09:00';
  world = await startWorld({ timeScale: 6, startAt, overrides, tasks: SCHEDULED_FLOOR });
  stopTraffic = publishTraffic(world, () => ({ tokensPerSecond }));
  cast.begin(world.environment);
  await eventually('tasks', () => world.running() === SCHEDULED_FLOOR, 20_000);
  await eventually('an active autoscaler', () => cast.active(), 20_000);
}, 90_000);

afterAll(async () => {
  stopTraffic();
  await cast.end();
  await world.close();
});

test('from the breach to a new task that serves it takes at most a minute, to the decision 20 s', async () => {
  const known = new Set(world.ecs.tasks().map(({ id }) => id));
  const isNew = (status: string) =>
    world.ecs.tasks().some(({ id, lastStatus }) => !known.has(id) && lastStatus === status);
  const now = () => world.clock.nowMs();
  // The worst moment: tasks have just reported, and will not again for a whole period.
  await eventually('a period begins', () => now() % PERIOD_MS < PERIOD_MS / 8, 5_000);
  const breachMs = now();
  tokensPerSecond = 7_000;
  await eventually('a higher floor', () => world.floor() > SCHEDULED_FLOOR, 20_000);
  const raisedMs = now();
  await eventually('a task on its way', () => isNew('PROVISIONING') || isNew('PENDING'), 20_000);
  const provisioningMs = now();
  await eventually('a task that runs', () => isNew('RUNNING'), 20_000);
  const runningMs = now();

  const seconds = (atMs: number): number => (atMs - breachMs) / 1_000;
  const servingSeconds = seconds(runningMs) + HEALTHY_SECONDS + TRAFFIC_SECONDS;
  const row = (what: string, after: number) => ({
    what,
    'seconds after the breach': after.toFixed(1),
  });
  const timeline = renderTable([
    row('the load steps from 2,000 to 7,000 tokens/s', 0),
    row(`decided and applied: a floor of ${world.floor()} tasks`, seconds(raisedMs)),
    row('the first new task is provisioned', seconds(provisioningMs)),
    row('it runs (provision 10 s, pull 15 s)', seconds(runningMs)),
    row('it is healthy (10 s, as modelled)', seconds(runningMs) + HEALTHY_SECONDS),
    row('it serves (5 s, as modelled)', servingSeconds),
  ]);
  process.stdout.write(`\n${timeline}\n`);
  expect(seconds(raisedMs)).toBeLessThanOrEqual(20);
  expect(servingSeconds).toBeLessThanOrEqual(60);

  const published = METRICS.scalingResponseTime.name;
  await eventually('the response time as a metric', () => saysMetric(published), 20_000);
}, 60_000);

test('a process that slept through its lease wakes up to find its writes refused', async () => {
  const sleeper = await eventually('an active autoscaler', () => cast.active());
  process.kill(sleeper.pid, 'SIGSTOP');
  const successor = await eventually('a successor', () => otherActive(sleeper), 30_000);
  const epoch = await eventually('its epoch', async () => (await world.stateEpoch()) >= 2);
  expect(epoch).toBe(true);
  const effectsBefore = effectsOf(sleeper);

  process.kill(sleeper.pid, 'SIGCONT');
  await eventually('the sleeper stands by', () => cast.active() === successor, 20_000);
  const cycles = decisionsOf(successor);
  await eventually('the successor goes on', () => decisionsOf(successor) > cycles, 20_000);
  expect(effectsOf(sleeper)).toBe(effectsBefore);
  expect(await world.stateEpoch()).toBe(2);
}, 90_000);

test('with both dead the floor decays to the schedule by AWS alone', async () => {
  expect(world.floor()).toBeGreaterThan(SCHEDULED_FLOOR);
  await Promise.all(cast.programs.map((it) => it.end('SIGKILL')));
  const registered = world.scaling.calls('RegisterScalableTarget').length;
  await eventually('the scheduled floor', () => world.floor() === SCHEDULED_FLOOR, 30_000);
  expect(world.scaling.calls('RegisterScalableTarget')).toHaveLength(registered);
}, 60_000);

function otherActive(than: ProgramProcess): ProgramProcess | undefined {
  return cast.programs.find((it) => it !== than && isSaid(it, '"msg":"active"'));
}

function isSaid({ log }: ProgramProcess, text: string): boolean {
  return log.lines.some((line) => line.includes(text));
}

function saysMetric(name: string): boolean {
  return cast.programs.some((it) => isSaid(it, `"${name}":`));
}

/** What it did to AWS, by its own word. */
function effectsOf({ log }: ProgramProcess): number {
  return log.lines.filter((line) => /"msg":"(raise|lower|let|buy|delete)/.test(line)).length;
}

/** Every active cycle says which state it is in. */
function decisionsOf({ log }: ProgramProcess): number {
  return log.lines.filter((line) => line.includes('"ScalingState"')).length;
}
