/**
 * A release night, compressed: the real autoscaler processes against the stand-ins. Floors rise before it, throttles
 * are mitigated, everything returns; the active process is killed in the middle, and its successor goes on.
 */
import {
  bedrockCapacitySet,
  mitigationFlags,
  prewarmRequest,
  type PlatformOverrides,
} from '@matsuri/contract';
import { eventually } from '../../chaos/harness/eventually';
import { publishTraffic } from '../../../services/autoscaler/test/world/traffic';
import { startWorld, type CapacityWorld } from '../../../services/autoscaler/test/world/world';
import { startCast, type Cast } from './autoscaler-process';

const START = '2026-06-09T07:00:00+09:00';
const MINUTE_MS = 60_000;
const at = (minutes: number): number => Date.parse(START) + minutes * MINUTE_MS;
const RELEASE = 7;
const THROTTLED_FROM = RELEASE + 3;
const END = RELEASE + 8;
const SCHEDULED_FLOOR = 10;
const EVENT_FLOOR = 50;

const overrides: PlatformOverrides = {
  environment: 'e2e',
  calendar: {
    weekly: [],
    events: [
      {
        name: 'release_night',
        class: 'burst',
        multiplier: 5,
        start: new Date(at(RELEASE)).toISOString(),
        end: new Date(at(END)).toISOString(),
        leadSeconds: 360,
        tasks: EVENT_FLOOR,
        units: { complex: 25, simple: 8 },
      },
    ],
  },
  provisioned: { enabled: true, activationSeconds: 120 },
  // Two seconds and a half of a busy machine: the lease changes hands for the kill alone.
  autoscaler: { leaseSeconds: 120 },
};

/** Thousands of tokens a second, by minutes. */
function kiloTokens(minutes: number): number {
  if (minutes < RELEASE) return 3;
  const rise = [7, 15, 22, 30, 33, 36];
  return rise[Math.floor((minutes - RELEASE) * 2)] ?? (minutes < END ? 36 : 3);
}

let world: CapacityWorld;
let stopTraffic: () => void;
/** Bedrock refuses calls until this is set, however quick the machine. */
let calm = false;
let cast: Cast;

beforeAll(async () => {
  cast = await startCast(['first', 'second']);
  world = await startWorld({ timeScale: 50, startAt: START, overrides, tasks: SCHEDULED_FLOOR });
  stopTraffic = publishTraffic(world, (nowMs) => {
    const minutes = (nowMs - at(0)) / MINUTE_MS;
    const throttled = minutes >= THROTTLED_FROM && !calm;
    return { tokensPerSecond: 1_000 * kiloTokens(minutes), throttles: throttled ? 20 : 0 };
  });
  cast.begin(world.environment);
}, 60_000);

afterAll(async () => {
  stopTraffic();
  await cast.end();
  await world.close();
});

async function flags() {
  return mitigationFlags.decode(await world.redisRecord(mitigationFlags.key()));
}

test('floors up before it, mitigation on throttles, a kill in the middle, and back afterwards', async () => {
  // Ahead of the event: its floor, its units, its answers.
  await eventually('the event floor', () => world.floor() === EVENT_FLOOR, 30_000);
  expect(world.clock.nowMs()).toBeLessThan(at(RELEASE));
  const prewarm = await eventually('a prewarm request', async () =>
    prewarmRequest.decode(await world.redisRecord(prewarmRequest.key())),
  );
  expect(prewarm).toMatchObject({ event: 'release_night', titles: 100 });
  await eventually('the units of the event', () => unitsBought('sonnet') === 25, 30_000);
  await eventually(
    'the router hears of them',
    async () => (await weightOf('complex')) === 25,
    30_000,
  );
  expect(unitsBought('haiku')).toBe(8);

  // The crowd takes the floor above the event's, with AWS's own hand ready to return it.
  await eventually('a floor above the event', () => world.floor() > EVENT_FLOOR, 30_000);
  expect(world.scaling.calls('PutScheduledAction').at(-1)?.input).toMatchObject({
    ScheduledActionName: 'autoscaler-floor-expiry',
    ScalableTargetAction: { MinCapacity: EVENT_FLOOR },
  });

  // Throttles: the ladder is climbed to its end, and somebody is woken.
  await eventually('all mitigations', async () => (await flags())?.active.length === 5, 30_000);
  expect(await flags()).toMatchObject({ cacheSeconds: 120 });
  const pages = () => world.sns.messages('on-call').map(({ subject }) => subject);
  const woken = '[e2e] page: Mitigations are not enough';
  await eventually('a page', () => pages().includes(woken));

  // Killed at the height of it: the successor takes up the state, the mitigations and the purchases.
  const since = (await flags())?.active[0]?.sinceMs;
  const epoch = await world.stateEpoch();
  const first = cast.active();
  await first?.end('SIGKILL');
  const successor = await eventually('a successor', () => cast.active(), 20_000);
  expect(successor).not.toBe(first);
  await eventually(
    'flags of the successor',
    async () => (await flags())?.epoch === epoch + 1,
    20_000,
  );
  expect((await flags())?.active[0]?.sinceMs).toBe(since);
  expect(world.floor()).toBeGreaterThanOrEqual(EVENT_FLOOR);
  expect(world.market.throughputs()).toHaveLength(new Set(names()).size);

  calm = true;

  // Everything returns: mitigations rung by rung, tasks step by step, units once they are drained.
  await eventually('mitigations end', async () => (await flags())?.active.length === 0, 60_000);
  expect(await flags()).toMatchObject({ cacheSeconds: 30 });
  await eventually('the floor returns', () => world.floor() === SCHEDULED_FLOOR, 90_000);
  await eventually('tasks return', () => world.running() === SCHEDULED_FLOOR, 20_000);
  expect(world.market.calls('DeleteProvisionedModelThroughput').length).toBeGreaterThan(0);
  expect(pages().filter((it) => it === woken)).toHaveLength(1);
}, 180_000);

function names(): readonly string[] {
  return world.market.throughputs().map(({ name }) => name);
}

function unitsBought(model: string): number {
  return world.market
    .throughputs()
    .filter(({ modelArn }) => modelArn.includes(model))
    .reduce((sum, { modelUnits }) => sum + modelUnits, 0);
}

async function weightOf(alias: 'complex' | 'simple'): Promise<number> {
  const record = bedrockCapacitySet.decode(await world.redisRecord(bedrockCapacitySet.key(alias)));
  return (record?.throughputs ?? []).reduce((sum, { weight }) => sum + weight, 0);
}
