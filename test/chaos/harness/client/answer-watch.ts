import { countTokens } from '@matsuri/local';
import type { CallEnded, CallEnding, History } from '../history';
import { at, numberAt, parsed, textAt } from '../json';
import type { CallPlan } from './call-plan';

/** What a client has made of an answer. */
export interface CallResult {
  readonly id: string;
  readonly ending: CallEnding;
  readonly status: number;
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly usage: CallEnded['usage'];
  readonly heartbeats: number;
  /** The last JSON document that came. */
  readonly body: unknown;
  readonly tookMs: number;
}

/** Reads one answer and writes down what it sees, endings above all. Believes nothing, repairs nothing. */
export class AnswerWatch {
  status = 0;
  headers: CallResult['headers'] = {};
  events = 0;
  #text = '';
  #usage: CallEnded['usage'];
  #heartbeats = 0;
  #body: unknown;
  #ending: CallEnding | undefined;
  #finishing = false;
  readonly #startedAtMs = performance.now();

  constructor(
    readonly plan: CallPlan,
    readonly history: History,
    readonly actor: string,
  ) {}

  get ended(): boolean {
    return this.#ending !== undefined;
  }

  /** The model has said that it is done; only the end mark is missing. */
  get finishing(): boolean {
    return this.#finishing;
  }

  accepted(status: number, headers: CallResult['headers']): void {
    this.status = status;
    this.headers = headers;
    if (status !== 200) return;
    const servedBy = headers['x-served-by'];
    const { plan, actor } = this;
    this.history.append({
      op: 'call',
      type: 'info',
      event: 'accepted',
      actor,
      id: plan.id,
      servedBy: typeof servedBy === 'string' ? servedBy : undefined,
    });
  }

  comment(): void {
    this.#heartbeats += 1;
    if (this.#isOver) this.overrun('a comment');
  }

  /** One event of a stream. */
  event(data: string): void {
    this.events += 1;
    if (this.#isOver) this.overrun(data);
    if (this.ended) return;
    if (data === '[DONE]') {
      this.end('completed');
      return;
    }
    const chunk = parsed(data);
    this.#body = chunk;
    if (chunk === undefined) this.overrun(`not JSON: ${data.slice(0, 100)}`);
    else if (at(chunk, 'error') !== undefined) this.end('broke-off');
    else this.#read(chunk);
  }

  /** An answer in one piece. */
  whole(text: string): void {
    const body = parsed(text);
    this.#body = body;
    this.#text = textAt(body, 'choices', 0, 'message', 'content') ?? '';
    this.#usage = usageOf(body);
    this.end(this.status === 200 ? 'completed' : 'refused');
  }

  end(ending: CallEnding): void {
    if (this.ended) return;
    this.#ending = ending;
    const { plan, actor, status } = this;
    const retryAfter = this.headers['retry-after'];
    this.history.append({
      op: 'call',
      type: ending === 'completed' ? 'ok' : 'fail',
      actor,
      id: plan.id,
      ending,
      status,
      code: this.#code,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      isFinal: this.headers['x-should-retry'] === 'false',
      text: this.#text,
      tokens: countTokens(this.#text),
      usage: this.#usage,
    });
  }

  overrun(detail: string): void {
    const { plan, actor } = this;
    const event = 'overrun';
    this.history.append({ op: 'call', type: 'info', event, actor, id: plan.id, detail });
  }

  result(): CallResult {
    return {
      id: this.plan.id,
      ending: this.#ending ?? 'cut',
      status: this.status,
      code: this.#code,
      headers: this.headers,
      text: this.#text,
      usage: this.#usage,
      heartbeats: this.#heartbeats,
      body: this.#body,
      tookMs: performance.now() - this.#startedAtMs,
    };
  }

  /** Whoever left has not seen the end; what was on its way to them is nobody's fault. */
  get #isOver(): boolean {
    return this.ended && this.#ending !== 'left' && this.#ending !== 'hung';
  }

  get #code(): string | undefined {
    return textAt(this.#body, 'error', 'code') ?? textAt(this.#body, 'error', 'type');
  }

  #read(chunk: unknown): void {
    this.#text += textAt(chunk, 'choices', 0, 'delta', 'content') ?? '';
    if (textAt(chunk, 'choices', 0, 'finish_reason') !== undefined) this.#finishing = true;
    this.#usage ??= usageOf(chunk);
  }
}

function usageOf(body: unknown): CallEnded['usage'] {
  const inputTokens = numberAt(body, 'usage', 'prompt_tokens');
  const outputTokens = numberAt(body, 'usage', 'completion_tokens');
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens };
}
