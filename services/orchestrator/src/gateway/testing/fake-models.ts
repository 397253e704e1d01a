import type { Clock } from '@matsuri/resilience';
import { sleep } from '@matsuri/resilience';
import type { ModelAnswer, ModelEvent } from '../core/model-event';
import { ModelCallError, type CallOptions, type CallTarget, type ModelCaller } from '../ports';

/** What a model does when it is called. */
export type Behaviour =
  | 'answers'
  | 'throttled'
  | 'unavailable'
  | 'no-connection'
  | 'rejects'
  | 'never-accepts'
  | 'never-speaks'
  | 'ends-at-once'
  | 'breaks-off'
  | 'falls-silent';

export interface FakeCall {
  readonly target: CallTarget;
  readonly options: CallOptions;
}

const USAGE = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** A model that behaves as told, call by call, and well when nothing more is told. */
export class FakeModels implements ModelCaller {
  readonly calls: FakeCall[] = [];
  readonly behaviours: Behaviour[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async stream(
    target: CallTarget,
    _request: unknown,
    options: CallOptions,
  ): Promise<AsyncIterable<readonly ModelEvent[]>> {
    const behaviour = await this.#accept(target, options);
    return this.#events(behaviour, options.signal);
  }

  async complete(
    target: CallTarget,
    _request: unknown,
    options: CallOptions,
  ): Promise<ModelAnswer> {
    await this.#accept(target, options);
    return { blocks: [{ type: 'text', text: 'hello' }], stopReason: 'end', usage: USAGE };
  }

  async #accept(target: CallTarget, options: CallOptions): Promise<Behaviour> {
    this.calls.push({ target, options });
    const behaviour = this.behaviours.shift() ?? 'answers';
    await sleep(1, this.#clock, options.signal);
    switch (behaviour) {
      case 'throttled':
      case 'unavailable':
      case 'no-connection':
        throw new ModelCallError(behaviour, behaviour);
      case 'rejects':
        throw new ModelCallError('invalid-request', 'nonsense');
      case 'never-accepts':
        await sleep(Infinity, this.#clock, options.signal);
        break;
      case 'answers':
      case 'never-speaks':
      case 'ends-at-once':
      case 'breaks-off':
      case 'falls-silent':
        break;
    }
    return behaviour;
  }

  async *#events(behaviour: Behaviour, signal: AbortSignal): AsyncGenerator<readonly ModelEvent[]> {
    if (behaviour === 'ends-at-once') return;
    yield [{ type: 'start' }];
    if (behaviour === 'never-speaks') await sleep(Infinity, this.#clock, signal);
    await sleep(100, this.#clock, signal);
    yield [{ type: 'text', index: 0, text: 'hel' }];
    if (behaviour === 'falls-silent') await sleep(Infinity, this.#clock, signal);
    await sleep(100, this.#clock, signal);
    if (behaviour === 'breaks-off') throw new ModelCallError('unavailable', 'broken');
    yield [{ type: 'text', index: 0, text: 'lo' }];
    yield [
      { type: 'stop', reason: 'end' },
      { type: 'usage', usage: USAGE },
    ];
  }
}
