import { BEDROCK_SCRIPTS, type ScriptName } from '@matsuri/local';
import type { PlatformOverrides } from '@matsuri/contract';
import { check } from './checker/check';
import type { Violation } from './checker/violation';
import type { CallResult } from './client/answer-watch';
import { startCluster, type Cluster } from './cluster';
import { closeBreakers } from './close-breakers';
import { collectEvidence } from './collect-evidence';
import type { Evidence, Settings } from './evidence';
import type { PlannedFault } from './faults/fault-plan';
import { FaultSchedule } from './faults/fault-schedule';
import { fillSlots } from './fill-slots';
import { greet } from './greet';
import { offeredModels } from './offered-models';
import { rowsSettled, settleOrphans } from './orphans';
import { quiesce, takeBaseline } from './quiesce';
import { plentifulQuotas, testPlatform } from './test-platform';
import { mixedCalls } from './traffic/mixed-calls';
import { runCalls } from './traffic/run-calls';

export interface MixedRunOptions {
  readonly seed: number;
  readonly calls: number;
  readonly gateways: number;
  readonly atOnce: number;
  readonly faults: readonly PlannedFault[];
  /** With faults of the server itself, and not only of the way to it. */
  readonly ownPostgres: boolean;
  /** Wait for the leases of dead processes to run out, or let the database believe they have. */
  readonly orphans: 'wait' | 'age';
  readonly onProgress?: (ended: number, label: string) => void;
}

export interface MixedRunResult {
  readonly evidence: Evidence;
  readonly violations: readonly Violation[];
  readonly results: readonly CallResult[];
  readonly injected: ReadonlyMap<string, number>;
}

const SLOTS_PER_TASK = 10;
const TENANTS = 3;
const SWEEP_PATIENCE_MS = 15_000;
const QUIET_PATIENCE_MS = 20_000;

/** One profile is kept short, so that its limit can be seen to hold. */
const TIGHT = {
  model: 'global.anthropic.claude-haiku-4-5-20251001-v1:0',
  region: 'ap-northeast-1',
  requestsPerMinute: 600,
  burst: 20,
};

const PLATFORM: PlatformOverrides = testPlatform({
  gateway: { slotsPerTask: SLOTS_PER_TASK, inFlightPerTask: 100, burstRequests: TIGHT.burst },
  quotas: plentifulQuotas().map((quota) =>
    quota.profile === TIGHT.model && quota.region === TIGHT.region
      ? { ...quota, requestsPerMinute: TIGHT.requestsPerMinute }
      : quota,
  ),
});

const MISBEHAVIOURS: readonly ScriptName[] = BEDROCK_SCRIPTS.map(({ name }) => name).filter(
  (name) => name !== 'ok',
);

/** Mixed calls over several processes with faults in between; then heal, come to rest, and hold it to its promises. */
export async function mixedRun(options: MixedRunOptions): Promise<MixedRunResult> {
  const cluster = await startCluster({
    gateways: options.gateways,
    platform: PLATFORM,
    bedrock: { models: offeredModels(), pacing: { firstTokenMs: 10, tokensPerSecond: 600 } },
    ownPostgres: options.ownPostgres,
    seed: options.seed,
  });
  try {
    return await runOn(cluster, options);
  } finally {
    await cluster.close();
  }
}

async function runOn(cluster: Cluster, options: MixedRunOptions): Promise<MixedRunResult> {
  const { seed, gateways, atOnce, onProgress } = options;
  const tokens = await tenantTokens(cluster);
  const [anyToken = ''] = tokens.values();
  await Promise.all(cluster.gateways.map((gateway) => greet(cluster, gateway, anyToken)));
  const baseline = await takeBaseline(cluster);

  const schedule = new FaultSchedule(cluster, options.faults);
  const calls = mixedCalls({
    seed,
    count: options.calls,
    places: gateways,
    misbehaviours: MISBEHAVIOURS,
    models: ['simple', 'simple', 'complex', TIGHT.model],
    tenants: TENANTS,
  });
  const results = await runCalls({
    cluster,
    calls,
    atOnce,
    tokens,
    onProgress(begun, ended) {
      schedule.reach(begun);
      onProgress?.(ended, 'calls');
    },
  });
  onProgress?.(results.length, 'healing');
  await schedule.healed();
  const breakers = await closeBreakers(cluster, anyToken);
  await settleOrphans(cluster, options.orphans);
  onProgress?.(results.length, 'coming to rest');
  const open = await quiesce(cluster, baseline, QUIET_PATIENCE_MS);
  const slots = await fillSlots(cluster, anyToken, SLOTS_PER_TASK);
  await rowsSettled(cluster, SWEEP_PATIENCE_MS);
  const evidence = await collectEvidence(cluster, settingsOf(gateways), [
    ...open,
    ...slots,
    breakers,
  ]);
  const violations = check(evidence);
  return { evidence, violations, results, injected: schedule.injected };
}

function settingsOf(gateways: number): Settings {
  return {
    slotsPerTask: SLOTS_PER_TASK,
    gateways,
    departureNoticeMs: 1_000,
    blurMs: 250,
    buckets: [TIGHT],
    breaker: { halfOpenPermits: 3 },
  };
}

async function tenantTokens(cluster: Cluster): Promise<Map<string, string>> {
  const tokens = new Map<string, string>();
  for (let number = 1; number <= TENANTS; number += 1) {
    const tenantId = `tenant-${number}`;
    tokens.set(tenantId, (await cluster.issueToken({ tenantId })).plaintext);
  }
  return tokens;
}
