import { DEFAULT_INTENT, METRICS, type CacheScope, type Intent } from '@matsuri/contract';
import { RequestScope } from '@matsuri/resilience';
import type { GatewayRefusal } from '../../gateway/core/gateway-refusal';
import {
  AnswerLostError,
  LOST_PART,
  type AnswerPart,
  type Degradation,
  type Question,
  type Rung,
} from '../ports';
import { questionDigest } from './adapters/redis-answer-cache';
import type { AnswerWorld } from './answer-world';
import { cacheAnswer } from './cache-answer';
import { apologyFor, degradationOf } from './core/apology';
import { cacheScope } from './core/cache-scope';
import { freshnessOf, type CachedAnswer } from './core/cached-answer';
import { degradedReason } from './core/degraded-reason';
import { Footing, lowerRung, standingSignals } from './core/ladder';
import { localeOf } from './core/locale';
import type { Source } from './core/passage';
import { preparedAnswer, type PreparedAnswer } from './core/prepared-answer';
import { gather, type Gathered } from './gathering';
import type { Generation, GenerationEvent, GenerationInput, Refused } from './generation';
import { SharedStreamLostError } from './distant-generation';
import { modelOutcome } from './model-outcome';
import type { CacheQuery } from './ports';
import { recordSharedUse } from './shared-use';
import { NOTHING_USED, usagePart } from './usage-part';
import { WaitingTime } from './waiting-time';

type Parts = AsyncGenerator<readonly AnswerPart[]>;

/** The making of one answer. */
export class AnswerRun {
  readonly #question: Question;
  readonly #caller: AbortSignal;
  readonly #world: AnswerWorld;
  readonly #scope: RequestScope;
  readonly #waits: WaitingTime;
  readonly #locale: 'ja' | 'en';
  readonly #footing: Footing;
  readonly #stretchedSeconds: number;
  readonly #freshSeconds: number;
  readonly #startedMs: number;
  readonly #degraded = new Set<Degradation>();
  readonly #askedAtMs = Date.now();
  #intent: Intent | undefined;
  #said = '';
  /** Where it stands; nowhere yet. */
  #rung: Rung | undefined;

  constructor(question: Question, signal: AbortSignal, world: AnswerWorld, freshSeconds?: number) {
    const { clock, configuration } = world;
    this.#question = question;
    this.#caller = signal;
    this.#world = world;
    this.#locale = localeOf(question.locale, question.text);
    const { active, cacheSeconds } = world.mitigations.now();
    this.#footing = new Footing(standingSignals(active), world.ladder);
    this.#stretchedSeconds = this.#footing.on('longer_cache') ? cacheSeconds : 0;
    // Load stretches the time when an answer is read, not when it is written: it ends with the load.
    this.#freshSeconds = freshSeconds ?? configuration.mitigations.cacheSeconds.normal;
    this.#startedMs = clock.nowMs();
    this.#waits = new WaitingTime(() => clock.nowMs());
    const budgetMs = configuration.timeouts.requestDeadlineMs;
    this.#scope = new RequestScope({ budgetMs, caller: signal, clock });
  }

  /** Ends with exactly one `done` or `error`, and throws nothing. */
  async *parts(): Parts {
    try {
      yield* this.#answer();
    } catch (err) {
      yield this.#ending(err);
    } finally {
      this.#scope.close();
      this.#measure();
    }
  }

  async *#answer(): Parts {
    const gathered = await gather({
      question: this.#question,
      query: this.#cacheQuery(),
      isUsable: (cached) => this.#freshness(cached) !== 'stale',
      scope: this.#scope,
      waits: this.#waits,
      world: this.#world,
    });
    for (const part of gathered.missing) this.#degraded.add(part);
    this.#intent = gathered.intent;
    const prepared = this.#prepared(this.#footing, gathered, true);
    if (prepared) yield* this.#whole(prepared);
    else yield* this.#fromModel(gathered);
  }

  async *#fromModel(gathered: Gathered): Parts {
    const { intent, history = [], vector } = gathered;
    const input: GenerationInput = {
      question: this.#question,
      locale: this.#locale,
      intent,
      history,
      vector,
      footing: this.#footing,
    };
    const scope = cacheScope({
      userId: this.#question.session.userId,
      intent,
      question: this.#question.text,
      historyTurns: gathered.history?.length,
    });
    const isShared = scope?.kind === 'public' && this.#footing.on('coalesced');
    const share = isShared ? this.#join(input) : undefined;
    try {
      const outcome = await modelOutcome(input, share, {
        world: this.#world,
        scope: this.#scope,
        waits: this.#waits,
        caller: this.#caller,
      });
      if (outcome.kind === 'refused') yield* this.#withoutModel(outcome, gathered);
      else yield* this.#speak(outcome, scope);
    } finally {
      share?.leave();
    }
  }

  #join(input: GenerationInput) {
    const { tenantId } = this.#question.session;
    const { chosen } = this.#world.generator.modelFor(input);
    const question = { tenantId, questionDigest: questionDigest(this.#cacheQuery(), chosen) };
    return this.#world.shared.join(question, input, this.#scope.signal);
  }

  async *#speak(generation: Generation, scope: CacheScope | undefined): Parts {
    this.#scope.liftDeadline();
    const { followed = false } = generation;
    if (followed) this.#recordSharedUse(generation);
    for (const part of generation.degraded) this.#degraded.add(part);
    const rung = followed ? lowerRung('coalesced', generation.rung) : generation.rung;
    yield* this.#begin(rung, generation.sources);
    const events = generation.events[Symbol.asyncIterator]();
    let end: Extract<GenerationEvent, { type: 'end' }> | undefined;
    try {
      while (!end) {
        const next = await this.#waits.during(() => events.next());
        if (next.done === true) break;
        const text = next.value.map((event) => (event.type === 'text' ? event.text : '')).join('');
        this.#said += text;
        if (text !== '') yield [{ type: 'delta', text }];
        end = next.value.find((event) => event.type === 'end');
      }
    } finally {
      await events.return?.();
    }
    if (!end) throw new Error('the answer ended without its end');
    const intent = this.#intent ?? DEFAULT_INTENT;
    this.#saveTurn();
    // What is less than it could be is not repeated to others, who would not be told so.
    const cacheable = rung === 'full' && this.#degraded.size === 0 && end.finish === 'stop';
    if (cacheable) this.#keep(generation, scope, intent);
    yield [
      usagePart(generation.servedBy, followed ? NOTHING_USED : end.usage),
      { type: 'done', finish: end.finish, intent },
    ];
  }

  /** The rungs below the models: an older answer, a prepared one, or the truth. */
  async *#withoutModel({ refusal, degraded }: Refused, gathered: Gathered): Parts {
    for (const part of degraded) this.#degraded.add(part);
    this.#degraded.add(degradationOf(refusal));
    const prepared = this.#prepared(this.#footing.after('models-refused'), gathered, false);
    if (prepared) yield* this.#whole(prepared);
    else yield this.#apology(refusal);
  }

  #prepared({ rungs }: Footing, { cached, history }: Gathered, areModelsLeft: boolean) {
    return preparedAnswer(rungs, {
      question: this.#question.text,
      locale: this.#locale,
      intent: this.#intent ?? DEFAULT_INTENT,
      cached: cached && { answer: cached, freshness: this.#freshness(cached) },
      isHistoryKnown: history !== undefined,
      areModelsLeft,
    });
  }

  /** An answer that is there already. */
  async *#whole({ rung, text, sources, intent }: PreparedAnswer): Parts {
    yield* this.#begin(rung, sources);
    this.#said = text;
    this.#saveTurn();
    await Promise.resolve();
    yield [
      { type: 'delta', text },
      { type: 'done', finish: 'stop', intent },
    ];
  }

  *#begin(rung: Rung, sources: readonly Source[]): Generator<readonly AnswerPart[]> {
    this.#rung = rung;
    if (sources.length > 0) yield [{ type: 'sources', sources: [...sources] }];
    if (rung !== 'full' || this.#degraded.size > 0) yield [this.#degradedPart(rung)];
  }

  #degradedPart(rung: Rung): AnswerPart {
    const parts = [...this.#degraded];
    const shifted = this.#footing.on('small_model');
    return { type: 'degraded', parts, rung, reason: degradedReason({ rung, parts, shifted }) };
  }

  #ending(err: unknown): readonly AnswerPart[] {
    if (this.#caller.aborted) {
      const isKept = !(this.#caller.reason instanceof AnswerLostError);
      if (this.#said !== '' && isKept) this.#saveTurn();
      return [{ type: 'done', finish: 'cancelled', intent: this.#intent ?? DEFAULT_INTENT }];
    }
    // Its stream was lost with another task: asked again, the question is answered anew.
    if (err instanceof SharedStreamLostError) return this.#break(LOST_PART);
    const isLate = this.#scope.signal.aborted;
    if (!isLate) {
      this.#world.log.warn('an answer broke off', { message_id: this.#question.messageId, err });
    }
    const reason = isLate ? 'first-content-late' : 'answer-cut';
    const refusal: GatewayRefusal = { reason, subject: 'the answer' };
    if (this.#said === '') return this.#apology(refusal);
    this.#saveTurn();
    return this.#break({ type: 'error', ...apologyFor(refusal, this.#locale) });
  }

  #break(error: Extract<AnswerPart, { type: 'error' }>): readonly AnswerPart[] {
    this.#world.metrics.record(METRICS.brokenAnswers, 1, { Code: error.code });
    return [error];
  }

  /** The last rung. */
  #apology(refusal: GatewayRefusal): readonly AnswerPart[] {
    this.#rung = 'apology';
    this.#degraded.add(degradationOf(refusal));
    return [this.#degradedPart('apology'), { type: 'error', ...apologyFor(refusal, this.#locale) }];
  }

  /** As soon as it is had: whoever leaves midway has had it too. */
  #recordSharedUse(generation: Generation): void {
    const { ledger, finish } = this.#world;
    finish('coalesced', () => recordSharedUse(generation, this.#question, ledger));
  }

  #keep(generation: Generation, scope: CacheScope | undefined, intent: Intent): void {
    const answered = {
      generation,
      question: this.#question,
      query: this.#cacheQuery(),
      scope,
      intent,
      text: this.#said,
      freshSeconds: this.#freshSeconds,
    };
    this.#world.finish('cache', () => cacheAnswer(answered, this.#world));
  }

  #saveTurn(): void {
    const { session, messageId, text: question } = this.#question;
    const turn = { messageId, askedAtMs: this.#askedAtMs, question, answer: this.#said };
    this.#world.finish('turn', () => this.#world.sessions.append(session, turn));
  }

  #cacheQuery(): CacheQuery {
    const { session, text } = this.#question;
    const { tenantId, userId } = session;
    return { tenantId, userId, locale: this.#locale, text };
  }

  #freshness(cached: CachedAnswer) {
    return freshnessOf(cached, this.#stretchedSeconds, Date.now());
  }

  #measure(): void {
    const { metrics, clock } = this.#world;
    const totalMs = clock.nowMs() - this.#startedMs;
    if (this.#rung) metrics.record(METRICS.answers, 1, { Rung: this.#rung });
    metrics.record(METRICS.endToEnd, totalMs);
    metrics.record(METRICS.overhead, Math.max(0, totalMs - this.#waits.totalMs));
  }
}
