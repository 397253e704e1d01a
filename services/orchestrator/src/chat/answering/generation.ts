import { randomBytes } from 'node:crypto';
import type { ChatAlias, Intent, PlatformConfiguration } from '@matsuri/contract';
import { DEFAULT_INTENT } from '@matsuri/contract';
import type { RequestScope } from '@matsuri/resilience';
import { estimateTextTokens } from '../../gateway/core/openai/estimate-text-tokens';
import type { GatewayRefusal } from '../../gateway/core/gateway-refusal';
import type { ModelEvent, StopReason } from '../../gateway/core/model-event';
import type {
  CallUsage,
  Gateway,
  GatewayCall,
  ServedBy,
  StreamedAnswer,
} from '../../gateway/gateway';
import type { Degradation, Question, Turn } from '../ports';
import type { Branches } from './branches';
import { lowerRung, signalOf, type Footing } from './core/ladder';
import { chooseModel } from './core/model-choice';
import { sourcesOf, type Passage, type Source } from './core/passage';
import { assemblePrompt } from './core/prompt';
import type { Rung } from '../ports';
import type { WaitingTime } from './waiting-time';

/** What an answer is generated from. */
export interface GenerationInput {
  readonly question: Question;
  readonly locale: 'ja' | 'en';
  /** Undefined: nobody could say. */
  readonly intent: Intent | undefined;
  readonly history: readonly Turn[];
  /** Undefined: there is none; the words alone are searched for. */
  readonly vector: readonly number[] | undefined;
  /** Before any model was asked. */
  readonly footing: Footing;
}

type Finish = 'stop' | 'length' | 'filtered';

export type GenerationEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'end'; readonly finish: Finish; readonly usage: CallUsage };

/** An answer whose first words are there. */
export interface Generation {
  readonly kind: 'generating';
  readonly model: ChatAlias;
  readonly servedBy: ServedBy;
  readonly sources: readonly Source[];
  readonly degraded: readonly Degradation[];
  readonly rung: Rung;
  /** Another request asked the model, and pays for it. */
  readonly followed?: boolean;
  /** To be iterated once; throws when the model breaks off. */
  readonly events: AsyncIterable<readonly GenerationEvent[]>;
}

/** No model answered. */
export interface Refused {
  readonly kind: 'refused';
  readonly refusal: GatewayRefusal;
  readonly degraded: readonly Degradation[];
}

export interface GeneratorOptions {
  readonly configuration: PlatformConfiguration;
  readonly gateway: Pick<Gateway, 'open' | 'modelsFor'>;
  readonly branches: Pick<Branches, 'retrieve'>;
}

const PASSAGES = 6;
const NONCE_BYTES = 16;

/** Phases two and three of an answer: retrieval, then a model, the next smaller one if the first does not answer. */
export class Generator {
  readonly #options: GeneratorOptions;

  constructor(options: GeneratorOptions) {
    this.#options = options;
  }

  /** Lifts the scope's deadline with the first content. Rejects only when the scope is aborted. */
  async generate(
    input: GenerationInput,
    scope: RequestScope,
    waits: WaitingTime,
  ): Promise<Generation | Refused> {
    const degraded = new Set<Degradation>();
    const passages = await this.#retrieve(input, scope, waits, degraded);
    const wish = this.modelFor(input);
    let model = wish.chosen;
    let firstRefusal: GatewayRefusal | undefined;
    let rung: Rung = wish.chosen === wish.deserved ? 'full' : 'small_model';
    for (;;) {
      const call = this.#callOf(input, model, passages, scope);
      const outcome = await waits.during(() => this.#options.gateway.open(call));
      if (outcome.kind === 'answered') {
        scope.liftDeadline();
        return {
          kind: 'generating',
          model,
          servedBy: outcome.answer.servedBy,
          sources: sourcesOf(passages, input.locale),
          degraded: [...degraded],
          rung,
          events: textOf(outcome.answer),
        };
      }
      // What the smaller model says to somebody who may not use it is not why there is no answer.
      firstRefusal ??= outcome.refusal;
      const signal = signalOf(outcome.refusal, model);
      const goesOn =
        signal === 'larger-model-refused' && input.footing.after(signal).on('small_model');
      if (!goesOn) return { kind: 'refused', refusal: firstRefusal, degraded: [...degraded] };
      degraded.add('model');
      rung = lowerRung(rung, 'small_model');
      model = 'simple';
    }
  }

  /** The model a question deserves and gets; a caller who may not use it gets the other. */
  modelFor({ question, intent, footing }: GenerationInput) {
    const wish = chooseModel({
      intent: intent ?? DEFAULT_INTENT,
      questionTokens: estimateTextTokens(question.text),
      shifted: footing.on('small_model'),
    });
    const allowed = this.#options.gateway.modelsFor(question.caller);
    const isRefused = wish.chosen === 'complex' && !allowed.includes('complex');
    return isRefused && footing.after('larger-model-refused').on('small_model')
      ? { deserved: wish.deserved, chosen: 'simple' as const }
      : wish;
  }

  async #retrieve(
    { question, intent, vector }: GenerationInput,
    scope: RequestScope,
    waits: WaitingTime,
    degraded: Set<Degradation>,
  ): Promise<readonly Passage[]> {
    const { branches } = this.#options;
    const wish = {
      tenantId: question.session.tenantId,
      intent: intent ?? DEFAULT_INTENT,
      text: question.text,
      ...(vector && { vector }),
      size: PASSAGES,
    };
    const found = await waits.during(() => branches.retrieve(wish, scope));
    if (!found.ok) degraded.add('retrieval');
    return found.ok ? found.value : [];
  }

  #callOf(
    { question, locale, intent, history }: GenerationInput,
    model: ChatAlias,
    passages: readonly Passage[],
    { signal }: RequestScope,
  ): GatewayCall {
    const request = assemblePrompt({
      model,
      maxTokens: this.#options.configuration.gateway.defaultMaxTokens,
      question: question.text,
      locale,
      intent: intent ?? DEFAULT_INTENT,
      history,
      passages,
      nonce: randomBytes(NONCE_BYTES).toString('hex'),
    });
    const { messageId: requestId, caller } = question;
    return { requestId, caller, request, signal };
  }
}

async function* textOf(answer: StreamedAnswer): AsyncGenerator<readonly GenerationEvent[]> {
  let reason: StopReason = 'end';
  for await (const batch of answer.events) {
    const text = batch.map(textIn).join('');
    for (const event of batch) if (event.type === 'stop') reason = event.reason;
    if (text !== '') yield [{ type: 'text', text }];
  }
  yield [{ type: 'end', finish: FINISHES[reason], usage: await answer.usage }];
}

function textIn(event: ModelEvent): string {
  return event.type === 'text' ? event.text : '';
}

const FINISHES: Readonly<Record<StopReason, Finish>> = {
  end: 'stop',
  'stop-sequence': 'stop',
  'tool-use': 'stop',
  'max-tokens': 'length',
  filtered: 'filtered',
};
