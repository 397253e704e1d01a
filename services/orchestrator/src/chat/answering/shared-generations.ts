import type { SharedQuestion } from '@matsuri/contract';
import { abortError, RequestScope, sleep, type Clock } from '@matsuri/resilience';
import { abortable } from '../../gateway/adapters/bedrock/abortable';
import type {
  Generation,
  GenerationEvent,
  GenerationInput,
  Generator,
  Refused,
} from './generation';
import { distantGeneration } from './distant-generation';
import type { DistantStream, LedStream, SharedEntry, SharedStreams } from './shared-streams';
import { WaitingTime } from './waiting-time';

export interface SharedGenerationsOptions {
  readonly generator: Pick<Generator, 'generate'>;
  /** @default every task asks for itself */
  readonly streams?: SharedStreams;
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
const TASK_GOES = new Error('the task that makes the shared answer had to go');

/**
 * Identical public questions of one tenant share one stream of one model: the first to ask leads, among the tasks and
 * within each of them.
 */
export class SharedGenerations {
  readonly #running = new Map<string, SharedGeneration>();
  readonly #options: SharedGenerationsOptions;

  constructor(options: SharedGenerationsOptions) {
    this.#options = options;
  }

  /** Takes part in the generation of the answer to this question, or begins it. */
  join(question: SharedQuestion, input: GenerationInput, signal: AbortSignal): Share {
    const key = JSON.stringify([question.tenantId, question.questionDigest]);
    const running = this.#running.get(key);
    if (running) return running.join('follower', signal);
    const begun = new SharedGeneration({ question, input }, this.#options, () => {
      // Another may have begun since.
      if (this.#running.get(key) === begun) this.#running.delete(key);
    });
    this.#running.set(key, begun);
    return begun.join('leader', signal);
  }

  /** Ends what is still being read, here or elsewhere, because the task must go. */
  abandon(): void {
    for (const running of this.#running.values()) running.abandon();
  }
}

interface Shared {
  readonly question: SharedQuestion;
  readonly input: GenerationInput;
}

/** Those whose leader went away before it said anything find another this often, and then ask for themselves. */
const MAX_CLAIMS = 3;
const LOOK_FOR_READERS_MS = 500;

/** A stream that several read, each from its beginning. It ends with itself, or when its last reader is gone. */
class SharedGeneration {
  readonly #options: SharedGenerationsOptions;
  readonly #scope: RequestScope;
  readonly #outcome: Promise<Generation | Refused>;
  readonly #onEnd: () => void;
  readonly #events: GenerationEvent[] = [];
  /** Where it is handed on to other tasks. */
  #led: LedStream | undefined;
  #readers = 0;
  #ended = false;
  #failure: Error | undefined;
  #changed = Promise.withResolvers<undefined>();

  constructor(shared: Shared, options: SharedGenerationsOptions, onEnd: () => void) {
    const { requestDeadlineMs, clock } = options;
    this.#options = options;
    this.#onEnd = onEnd;
    this.#scope = new RequestScope({ budgetMs: requestDeadlineMs, clock });
    this.#outcome = this.#begin(shared);
    void this.#pump();
  }

  join(role: Share['role'], signal: AbortSignal): Share {
    this.#readers += 1;
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      signal.removeEventListener('abort', leave);
      this.#readers -= 1;
      void this.#endUnlessRead();
    };
    signal.addEventListener('abort', leave);
    return { role, outcome: this.#outcomeFor(role, signal), leave };
  }

  abandon(): void {
    this.#scope.abort(TASK_GOES);
  }

  /** Nobody here reads any more; somebody elsewhere may. */
  async #endUnlessRead(): Promise<void> {
    while (this.#isUnread() && !this.#ended) {
      const isRead = await this.#led?.hasReaders().catch(() => false);
      if (isRead !== true && this.#isUnread()) {
        this.#onEnd();
        this.#scope.abort(NOBODY_LEFT);
        return;
      }
      await sleep(LOOK_FOR_READERS_MS, this.#options.clock);
    }
  }

  #isUnread(): boolean {
    return this.#readers === 0;
  }

  /** The stream of another task, or the model's own. */
  async #begin({ question, input }: Shared): Promise<Generation | Refused> {
    const { generator, streams, clock } = this.#options;
    for (let claims = 0; streams && claims < MAX_CLAIMS; claims += 1) {
      // What is not known is not waited for: the models are asked.
      const claim = await streams.claim(question).catch(() => undefined);
      if (claim?.kind === 'leading') this.#led = claim.stream;
      if (claim?.kind !== 'following') break;
      const distant = await this.#follow(claim.stream);
      if (distant) return distant;
    }
    const waits = new WaitingTime(() => clock.nowMs());
    return generator.generate(input, this.#scope, waits);
  }

  async #follow(stream: DistantStream): Promise<Generation | undefined> {
    const { signal } = this.#scope;
    try {
      const distant = await distantGeneration(stream, signal, this.#options.clock);
      if (distant) this.#scope.liftDeadline();
      return distant;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  async #outcomeFor(role: Share['role'], signal: AbortSignal): Promise<Generation | Refused> {
    const outcome = await orAborted(this.#outcome, signal);
    if (outcome.kind === 'refused') return outcome;
    // The leader of this task may itself follow another task's.
    const followed = role === 'follower' || outcome.followed === true;
    return { ...outcome, followed, events: this.#read(signal) };
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
      if (outcome.kind === 'refused') {
        this.#led?.publish({ type: 'broken' });
        return;
      }
      this.#led?.publish(beginningOf(outcome));
      for await (const batch of outcome.events) {
        this.#events.push(...batch);
        for (const event of batch) this.#led?.publish(entryOf(event));
        this.#tell();
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error('broke off', { cause: error });
      this.#led?.publish({ type: 'broken' });
    } finally {
      this.#ended = true;
      this.#onEnd();
      this.#scope.close();
      this.#tell();
      await this.#led?.close().catch(() => undefined);
    }
  }

  #tell(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<undefined>();
    resolve(undefined);
  }
}

function beginningOf({ model, servedBy, sources, degraded, rung }: Generation): SharedEntry {
  const { name, target } = servedBy;
  const { profile, region } = target;
  return {
    type: 'begin',
    model,
    servedBy: { name, target: { profile, region } },
    sources: [...sources],
    degraded: [...degraded],
    rung,
  };
}

function entryOf(event: GenerationEvent): SharedEntry {
  return event.type === 'text' ? event : { type: 'end', finish: event.finish };
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return signal.aborted ? Promise.reject(abortError(signal)) : abortable(promise, signal);
}
