import { abortError, RequestScope, type Clock } from '@matsuri/resilience';
import { abortable } from '../../gateway/adapters/bedrock/abortable';
import type {
  Generation,
  GenerationEvent,
  GenerationInput,
  Generator,
  Refused,
} from './generation';
import { WaitingTime } from './waiting-time';

export interface SharedGenerationsOptions {
  readonly generator: Pick<Generator, 'generate'>;
  readonly requestDeadlineMs: number;
  readonly clock: Clock;
}

/** One reader's part in a shared generation. */
export interface Share {
  readonly role: 'leader' | 'follower';
  /** Rejects with the reader's own reason when it leaves. */
  readonly outcome: Promise<Generation | Refused>;
  /** To be called when the reader is done, in whatever way. */
  leave(): void;
}

const NOBODY_LEFT = new Error('nobody reads the shared answer any more');

/** Identical public questions of one tenant share one stream of one model: the first to ask leads. */
export class SharedGenerations {
  readonly #running = new Map<string, SharedGeneration>();
  readonly #options: SharedGenerationsOptions;

  constructor(options: SharedGenerationsOptions) {
    this.#options = options;
  }

  /** Takes part in the generation of this key, or begins it. */
  join(key: string, input: GenerationInput, signal: AbortSignal): Share {
    const running = this.#running.get(key);
    if (running) return { role: 'follower', ...running.join(signal) };
    const begun = new SharedGeneration(input, this.#options, () => {
      // Another may have begun since.
      if (this.#running.get(key) === begun) this.#running.delete(key);
    });
    this.#running.set(key, begun);
    return { role: 'leader', ...begun.join(signal) };
  }
}

/** A stream that several read, each from its beginning. It ends with itself, or when its last reader is gone. */
class SharedGeneration {
  readonly #scope: RequestScope;
  readonly #outcome: Promise<Generation | Refused>;
  readonly #onEnd: () => void;
  readonly #events: GenerationEvent[] = [];
  #readers = 0;
  #ended = false;
  #failure: Error | undefined;
  #changed = Promise.withResolvers<undefined>();

  constructor(
    input: GenerationInput,
    { generator, requestDeadlineMs, clock }: SharedGenerationsOptions,
    onEnd: () => void,
  ) {
    this.#onEnd = onEnd;
    this.#scope = new RequestScope({ budgetMs: requestDeadlineMs, clock });
    const waits = new WaitingTime(() => clock.nowMs());
    this.#outcome = generator.generate(input, this.#scope, waits);
    void this.#pump();
  }

  join(signal: AbortSignal): Omit<Share, 'role'> {
    this.#readers += 1;
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      signal.removeEventListener('abort', leave);
      this.#readers -= 1;
      if (this.#readers > 0 || this.#ended) return;
      this.#onEnd();
      this.#scope.abort(NOBODY_LEFT);
    };
    signal.addEventListener('abort', leave);
    return { outcome: this.#outcomeFor(signal), leave };
  }

  async #outcomeFor(signal: AbortSignal): Promise<Generation | Refused> {
    const outcome = await orAborted(this.#outcome, signal);
    return outcome.kind === 'refused' ? outcome : { ...outcome, events: this.#read(signal) };
  }

  async *#read(signal: AbortSignal): AsyncGenerator<readonly GenerationEvent[]> {
    let at = 0;
    for (;;) {
      if (at < this.#events.length) {
        const fresh = this.#events.slice(at);
        at = this.#events.length;
        yield fresh;
      } else if (this.#ended) {
        if (this.#failure) throw this.#failure;
        return;
      } else {
        await orAborted(this.#changed.promise, signal);
      }
    }
  }

  /** Reads the model at its own pace: a slow reader holds up nobody, and an answer is bounded. */
  async #pump(): Promise<void> {
    try {
      const outcome = await this.#outcome;
      if (outcome.kind === 'refused') return;
      for await (const batch of outcome.events) {
        this.#events.push(...batch);
        this.#tell();
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error('broke off', { cause: error });
    } finally {
      this.#ended = true;
      this.#onEnd();
      this.#scope.close();
      this.#tell();
    }
  }

  #tell(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<undefined>();
    resolve(undefined);
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return signal.aborted ? Promise.reject(abortError(signal)) : abortable(promise, signal);
}
