import { randomUUID } from 'node:crypto';
import {
  leaseKeys,
  prewarmRequest,
  residenciesOf,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { acquireLease, NO_DEADLINE, sleep, systemClock, type HeldLease } from '@matsuri/resilience';
import type { Logger } from '@matsuri/telemetry';
import type { Redis } from 'ioredis';
import type { Gateway } from '../../gateway/gateway';
import { prewarmQuestions, type PrewarmQuestion } from './core/prewarm-questions';
import type { WarmingAnswerer } from './create-answerer';
import type { Downstreams } from './downstreams';
import type { PopularTitles } from './ports';

export interface PrewarmOptions {
  readonly configuration: Pick<PlatformConfiguration, 'gateway' | 'product' | 'tenants'>;
  readonly redis: Pick<Redis, 'get' | 'eval' | 'evalsha'>;
  readonly answerer: Pick<WarmingAnswerer, 'warm'>;
  readonly popularTitles: PopularTitles;
  readonly downstreams: Pick<Downstreams, 'opensearch'>;
  readonly gateway: Pick<Gateway, 'figures'>;
  /** Distinct for every process. */
  readonly taskId: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** @default 10000 */
  readonly lookEveryMs?: number;
}

type Request = NonNullable<ReturnType<typeof prewarmRequest.decode>>;

const LOOK_EVERY_MS = 10_000;
const LEASE_MS = 60_000;
const GIVE_WAY_MS = 1_000;
// What was prepared for an event serves its first hour.
const FRESH_AFTER_MS = 3_600_000;
/** Preparing takes no more than this share of a task's slots, and nothing while anybody waits. */
const SHARE_OF_SLOTS = 0.5;
const NOBODY = 'prewarm';

/**
 * Answers the autoscaler's wish for warm answers: one task under a lease, one question at a time, giving way to
 * customers. Answers that are warm already cost nothing, so whoever takes over goes on where it stopped.
 */
export function startPrewarming(options: PrewarmOptions): { close(): void } {
  const { redis, taskId, log, lookEveryMs = LOOK_EVERY_MS } = options;
  const closed = new AbortController();
  const done = new Set<string>();
  let busy = false;

  const look = async (): Promise<void> => {
    const request = prewarmRequest.decode(await redis.get(prewarmRequest.key()));
    if (!request || done.has(request.requestId) || Date.now() >= request.notAfterMs) return;
    const key = leaseKeys.prewarm(request.requestId);
    const taken = await acquireLease({ redis, key, owner: taskId, ttlMs: LEASE_MS });
    if (taken.kind === 'taken') return;
    const answered = await warm(request, taken.lease, options, closed.signal);
    done.add(request.requestId);
    log.info('answers are warm', { event: request.event, answers: answered });
  };
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    look()
      .catch((err: unknown) => log.warn('answers could not be warmed', { err }))
      .finally(() => (busy = false));
  }, lookEveryMs).unref();
  return {
    close() {
      clearInterval(timer);
      closed.abort();
    },
  };
}

/** How many questions have an answer now. */
async function warm(
  request: Request,
  lease: HeldLease,
  options: PrewarmOptions,
  signal: AbortSignal,
): Promise<number> {
  const { popularTitles, downstreams, configuration } = options;
  const tenantId = configuration.product.name;
  const scope = { deadlineAtMs: NO_DEADLINE, signal };
  const titles = await downstreams.opensearch.run(scope, (inner) =>
    popularTitles(tenantId, request.titles, inner),
  );
  let answered = 0;
  for (const question of titles.flatMap(prewarmQuestions)) {
    await giveWay(options, signal);
    if (Date.now() >= request.notAfterMs || !(await lease.renew())) break;
    if (await answerAhead(question, request, options, signal)) answered += 1;
  }
  return answered;
}

async function giveWay({ gateway, configuration }: PrewarmOptions, signal: AbortSignal) {
  const most = configuration.gateway.slotsPerTask * SHARE_OF_SLOTS;
  for (;;) {
    const { waiting, active } = gateway.figures();
    if (waiting === 0 && active < most) return;
    await sleep(GIVE_WAY_MS, systemClock, signal);
  }
}

async function answerAhead(
  { text, locale }: PrewarmQuestion,
  request: Request,
  { answerer, configuration }: PrewarmOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const tenantId = configuration.product.name;
  const freshMs = request.notAfterMs + FRESH_AFTER_MS - Date.now();
  const question = {
    // No such session is ever created: nothing is read from it, and no turn is kept.
    session: { tenantId, userId: NOBODY, sessionId: NOBODY },
    messageId: `prewarm-${randomUUID()}`,
    text,
    locale,
    caller: {
      tenantId,
      userId: NOBODY,
      tokenId: null,
      allowedModels: null,
      residencies: residenciesOf(configuration.tenants, tenantId),
      requestsPerMinute: null,
      tokensPerMinute: null,
    },
  };
  let ended = false;
  for await (const parts of answerer.warm(question, Math.ceil(freshMs / 1_000), signal)) {
    ended = parts.some((part) => part.type === 'done' && part.finish === 'stop');
  }
  return ended;
}
