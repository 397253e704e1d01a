import { randomUUIDv7 } from 'node:crypto';
import {
  METRICS,
  profileOf,
  type InferenceProfile,
  type ModelCatalogue,
  type ModelTarget,
} from '@matsuri/contract';
import type { AttemptOutcome, Ledger } from '@matsuri/database';
import {
  abortError,
  DeadlineExceededError,
  systemClock,
  type Reservation,
} from '@matsuri/resilience';
import type { Logger, Metrics } from '@matsuri/telemetry';
import type { BedrockCaller } from '../../../gateway/adapters/bedrock/bedrock-caller';
import { priceMicroUsd } from '../../../gateway/core/call-price';
import { holderOf } from '../../../gateway/core/limit-holder';
import { estimateTextTokens } from '../../../gateway/core/openai/estimate-text-tokens';
import type { Dimension, Limiter } from '../../../gateway/limits';
import { ModelCallError } from '../../../gateway/ports';
import { embeddingTarget } from '../core/embedding-target';
import type { Embedder, EmbeddingWish } from '../ports';

export interface BedrockEmbedderOptions {
  readonly bedrock: Pick<BedrockCaller, 'embed'>;
  readonly models: ModelCatalogue;
  readonly ledger: Pick<Ledger, 'reserve' | 'settle'>;
  /** The limits of API tokens. */
  readonly tokenLimiter: Pick<Limiter, 'reserve'>;
  readonly metrics: Pick<Metrics, 'record'>;
  readonly log: Pick<Logger, 'error'>;
}

/** Whoever asks may not, or no more: another's question would have been embedded. */
class EmbeddingRefusedError extends Error {
  override readonly name = 'EmbeddingRefusedError';
}

const LONGEST_TEXT = 2_000;
/** A search by words alone is better than one by meaning that waits for its own book-keeping. */
const PATIENCE_MS = 250;
const ALIAS = 'embed';
const DOLLARS_PER_MICRO = 1e-6;
const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/**
 * Embeds questions by the alias `embed`. Each call is an attempt of its own in the ledger, reserved before it is made
 * and settled after; it takes tokens from the caller's limit but counts as no request: the caller asked one question.
 */
export function createBedrockEmbedder(options: BedrockEmbedderOptions): Embedder {
  const { bedrock, models, ledger } = options;
  return async (wish, signal) => {
    const target = embeddingTarget(models, wish.caller.residencies);
    if (!target) throw new EmbeddingRefusedError('no target is where the tenant may be served');
    const profile = profileOf(models, target.profile);
    if (!profile)
      throw new ModelCallError('misconfigured', `Nothing is known of ${target.profile}.`);
    const text = wish.text.slice(0, LONGEST_TEXT).toWellFormed();
    const estimatedTokens = estimateTextTokens(text);
    const limit = await takeTokens(wish, estimatedTokens, options.tokenLimiter, signal);
    const attemptId = randomUUIDv7();
    try {
      await reserve({ attemptId, wish, target, profile, estimatedTokens }, ledger);
    } catch (error) {
      limit?.cancel();
      throw error;
    }
    const settle = settlementOf({ attemptId, profile, limit }, options);
    if (signal.aborted) {
      settle('not-called', 0, 'settled');
      throw abortError(signal);
    }
    try {
      const { vectors, inputTokens } = await bedrock.embed(target, [text], { attemptId, signal });
      settle('completed', inputTokens, 'settled');
      return vectors[0] ?? [];
    } catch (error) {
      const knownFree = error instanceof ModelCallError && !error.mayHaveCost;
      if (knownFree) settle('upstream-error', 0, 'settled');
      else settle(outcomeOf(signal), estimatedTokens, 'estimated');
      throw error;
    }
  };
}

async function takeTokens(
  { caller }: EmbeddingWish,
  tokens: number,
  limiter: Pick<Limiter, 'reserve'>,
  signal: AbortSignal,
): Promise<Reservation<Dimension> | undefined> {
  const holder = holderOf(caller);
  if (holder === undefined) return undefined;
  const brief = { deadlineAtMs: systemClock.nowMs() + PATIENCE_MS, signal };
  const result = await limiter.reserve(holder, { requests: 0, tokens }, brief);
  if (result.kind === 'granted') return result.reservation;
  throw new EmbeddingRefusedError('the API token is at its limit');
}

interface Attempt {
  readonly attemptId: string;
  readonly wish: EmbeddingWish;
  readonly target: ModelTarget;
  readonly profile: InferenceProfile;
  readonly estimatedTokens: number;
}

async function reserve(attempt: Attempt, ledger: Pick<Ledger, 'reserve'>): Promise<void> {
  const { attemptId, wish, target, profile, estimatedTokens: inputTokens } = attempt;
  const { tenantId, userId, tokenId } = wish.caller;
  const outcome = await ledger.reserve(
    {
      attemptId,
      requestId: wish.requestId,
      tenantId,
      userId,
      tokenId,
      requestedModel: ALIAS,
      servedModel: target.profile,
      region: target.region,
      target: 'on-demand',
      reservedMicroUsd: priceMicroUsd(profile, { ...NOTHING, inputTokens }),
    },
    PATIENCE_MS,
  );
  if (!outcome.granted) throw new EmbeddingRefusedError(outcome.refused);
}

/** Says what an attempt came to. The ledger keeps it from there, and nobody waits for that. */
function settlementOf(
  {
    attemptId,
    profile,
    limit,
  }: Pick<Attempt, 'attemptId' | 'profile'> & {
    readonly limit: Reservation<Dimension> | undefined;
  },
  { ledger, metrics, log }: BedrockEmbedderOptions,
) {
  return (outcome: AttemptOutcome, inputTokens: number, status: 'settled' | 'estimated'): void => {
    const usage = { ...NOTHING, inputTokens };
    const costMicroUsd = priceMicroUsd(profile, usage);
    limit?.settle({ requests: 0, tokens: inputTokens });
    metrics.record(METRICS.spendDollars, costMicroUsd * DOLLARS_PER_MICRO, {
      Model: profile.model,
    });
    const told = { attemptId, status, outcome, costMicroUsd, clientDisconnected: false, ...usage };
    ledger.settle(told).catch((err: unknown) => log.error('an embedding was not settled', { err }));
  };
}

/** How a call ended that nobody heard the end of. */
function outcomeOf({ aborted, reason }: AbortSignal): AttemptOutcome {
  if (!aborted) return 'upstream-error';
  return reason instanceof DeadlineExceededError ? 'timed-out' : 'client-gone';
}
