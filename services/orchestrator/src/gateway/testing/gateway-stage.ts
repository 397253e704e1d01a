import { configure, type PlatformOverrides } from '@matsuri/contract';
import { LocalBucket, RateLimiter } from '@matsuri/resilience';
import { VirtualClock } from '@matsuri/resilience/testing';
import type { Throughput } from '../core/provisioned-share';
import type { ModelRequest } from '../core/model-request';
import { UNLIMITED } from '../core/minute-limits';
import { createGateway } from '../create-gateway';
import type { GatewayCall } from '../gateway';
import type { Limiter, Limits } from '../limits';
import type { GatewayObserver } from '../observer';
import { FakeLedger } from './fake-ledger';
import { FakeModels } from './fake-models';

const SILENT: GatewayObserver = {
  came: () => undefined,
  turnedAway: () => undefined,
  refused: () => undefined,
  attempted: () => undefined,
  throttled: () => undefined,
  failedOver: () => undefined,
  fellBack: () => undefined,
  waited: () => undefined,
  settled: () => undefined,
};

/** A gateway among fakes, on a clock that only goes when told to. */
export function setGatewayStage(
  overrides: PlatformOverrides = {},
  throughputs: readonly Throughput[] = [],
  observer: Partial<GatewayObserver> = {},
) {
  const clock = new VirtualClock(1_000_000);
  const models = new FakeModels(clock);
  const ledger = new FakeLedger();
  const log = { warn: () => undefined, error: () => undefined };
  const gateway = createGateway({
    configuration: configure(overrides),
    models,
    ledger,
    limits: wideLimits(clock),
    capacity: { throughputsOf: (alias) => (alias === 'simple' ? throughputs : []) },
    observer: { ...SILENT, ...observer },
    log,
    clock,
    random: () => 0.5,
  });
  return { gateway, clock, models, ledger };
}

function wideLimits(clock: VirtualClock): Limits {
  const wide = { perMinute: UNLIMITED, burst: UNLIMITED };
  const limits = { requests: wide, tokens: wide };
  const policy = { limits, tenantLimits: () => limits, maxBooked: 100, maxBookedPerTenant: 100 };
  let ids = 0;
  const limiter = (): Limiter => {
    const bucket = new LocalBucket({ policy, sharers: 1, clock });
    const newId = () => String((ids += 1));
    return new RateLimiter({ bucket, policy, maxWaiting: 1_000, newId, clock });
  };
  return { forTarget: limiter, tokens: limiter(), degraded: () => false };
}

const A_REQUEST: ModelRequest = {
  model: 'simple',
  system: [],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  maxTokens: 100,
};

export function aCall(changes: Partial<GatewayCall> = {}): GatewayCall {
  return {
    requestId: 'request-1',
    caller: {
      tenantId: 'tenant-1',
      userId: 'user-1',
      tokenId: null,
      allowedModels: null,
      residencies: null,
      requestsPerMinute: null,
      tokensPerMinute: null,
    },
    request: A_REQUEST,
    signal: new AbortController().signal,
    ...changes,
  };
}
