/** How a call ended, as its client saw it. */
export type CallEnding =
  /** The whole answer came, with its end marked. */
  | 'completed'
  /** An error status, with an error in OpenAI's shape. */
  | 'refused'
  /** The stream had begun and ended in an error event. */
  | 'broke-off'
  /** The client left, on purpose. */
  | 'left'
  /** The connection was lost before any ending. */
  | 'cut'
  /** Nobody listened. */
  | 'unreachable'
  /** Nothing came for longer than any call may take. */
  | 'hung';

interface Stamped {
  /** Wall time that never steps back, the same for every actor of the machine. */
  readonly atMs: number;
  readonly actor: string;
}

export interface CallInvoked extends Stamped {
  readonly op: 'call';
  readonly type: 'invoke';
  /** The request id, as sent. */
  readonly id: string;
  /** The process it was sent to: its name and how often it had been started. */
  readonly gateway: string;
  readonly tenant: string;
  readonly model: string;
  readonly stream: boolean;
}

interface CallAccepted extends Stamped {
  readonly op: 'call';
  readonly type: 'info';
  readonly event: 'accepted';
  readonly id: string;
  readonly servedBy?: string | undefined;
}

/** Something that came after the end of an answer. */
interface CallOverrun extends Stamped {
  readonly op: 'call';
  readonly type: 'info';
  readonly event: 'overrun';
  readonly id: string;
  readonly detail: string;
}

export interface CallEnded extends Stamped {
  readonly op: 'call';
  readonly type: 'ok' | 'fail';
  readonly id: string;
  readonly ending: CallEnding;
  /** 0 where there was no answer. */
  readonly status: number;
  /** `code` or else `type` of the error. */
  readonly code?: string | undefined;
  readonly retryAfter?: string | undefined;
  /** The client was told that coming back will not help. */
  readonly isFinal?: boolean;
  /** The words that came, in order. */
  readonly text: string;
  /** How many of the model's tokens those words are. */
  readonly tokens: number;
  /** What the client was told the answer cost, where it asked. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}

export interface ProcessEvent extends Stamped {
  readonly op: 'process';
  readonly type: 'info';
  /** `started`: listens. `killed`: with -9. `drained`: asked to end, and did. `died`: by itself. */
  readonly event: 'started' | 'killed' | 'draining' | 'drained' | 'died';
  readonly id: string;
  readonly detail?: string | undefined;
}

export interface FaultEvent extends Stamped {
  readonly op: 'fault';
  readonly type: 'info';
  readonly event: 'injected' | 'healed';
  /** What was hurt: `redis`, `postgres`, `bedrock`. */
  readonly id: string;
  readonly detail: string;
}

export type CallRecord = CallInvoked | CallAccepted | CallOverrun | CallEnded;
export type HistoryRecord = CallRecord | ProcessEvent | FaultEvent;

type Unstamped<T> = T extends Stamped ? Omit<T, 'atMs'> : never;

/** What every actor saw, in the order in which it was seen. Nothing is ever removed or changed. */
export class History {
  readonly #records: HistoryRecord[] = [];

  append(record: Unstamped<HistoryRecord>): void {
    this.#records.push({ atMs: nowMs(), ...record });
  }

  get records(): readonly HistoryRecord[] {
    return this.#records;
  }

  /** One JSON document per line. */
  toLines(): string {
    return this.#records.map((record) => `${JSON.stringify(record)}\n`).join('');
  }
}

/** The time of histories. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

export function isEnding(record: HistoryRecord): record is CallEnded {
  return record.op === 'call' && 'ending' in record;
}
