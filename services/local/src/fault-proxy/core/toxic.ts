/** Upstream: from client to server. Downstream: from server to client. */
export type Direction = 'upstream' | 'downstream';

interface Directed {
  /**
   * Which way the bytes go that it spoils.
   *
   * @default both
   */
  readonly direction?: Direction | 'both';
}

/** Something that is wrong with a link; the words are toxiproxy's. */
export type Toxic =
  /** Every byte is late, by the same time more or less the jitter. Order is kept, as TCP keeps it. */
  | (Directed & {
      readonly type: 'latency';
      readonly latencyMs: number;
      readonly jitterMs?: number;
    })
  /** No more than so many bytes in a second. */
  | (Directed & { readonly type: 'bandwidth'; readonly bytesPerSecond: number })
  /** Data arrives in small pieces, with a pause after each. */
  | (Directed & {
      readonly type: 'slicer';
      readonly averageBytes: number;
      readonly variationBytes?: number;
      readonly delayMs?: number;
    })
  /**
   * A black hole: neither data nor the news that a side has closed gets through. What was sent arrives
   * when the toxic is removed, as TCP's retransmissions would. One direction only makes a half-open link.
   */
  | (Directed & {
      readonly type: 'timeout';
      /** Close the connection this long after it was swallowed; never when absent. */
      readonly closeAfterMs?: number;
    })
  /**
   * So many bytes pass in each connection, not one more, then the connection is cut. With 0 it is cut by the
   * first byte, which does not pass: the server has answered, and the client will never know.
   */
  | (Directed & {
      readonly type: 'limit_data';
      readonly bytes: number;
      /**
       * Whether the receiver sees an orderly end or a reset, which may also destroy what it has not read yet.
       *
       * @default close
       */
      readonly ending?: Ending;
    })
  /** The news that a side has closed is late; data is not. */
  | (Directed & { readonly type: 'slow_close'; readonly delayMs: number })
  /** Connections are reset on both sides, old ones and new ones. */
  | {
      readonly type: 'reset_peer';
      /**
       * How long a connection lives before that.
       *
       * @default 0
       */
      readonly afterMs?: number;
    };

/** How a connection is ended by force: with a FIN, or with a RST. */
export type Ending = 'close' | 'reset';

/** A toxic on a link, since when. */
export interface ActiveToxic {
  readonly toxic: Toxic;
  readonly addedAtMs: number;
}

/** Whether this toxic spoils this direction. */
export function spoils(toxic: Toxic, direction: Direction): boolean {
  if (toxic.type === 'reset_peer') return false;
  return (toxic.direction ?? 'both') === 'both' || toxic.direction === direction;
}

/** Says what is wrong with a toxic's figures; nothing when they make sense. */
export function nonsenseIn(toxic: Toxic): string | undefined {
  const { type, ...figures } = toxic;
  const wrong = Object.entries(figures).find(
    ([, value]) => typeof value === 'number' && !(value >= 0 && Number.isFinite(value)),
  );
  if (wrong !== undefined) return `${type}: ${wrong[0]} must be a number from 0 up`;
  if (toxic.type === 'bandwidth' && toxic.bytesPerSecond === 0) {
    return 'bandwidth: bytesPerSecond must be above 0; for no data at all use "timeout"';
  }
  if (toxic.type === 'slicer' && toxic.averageBytes < 1) {
    return 'slicer: averageBytes must be at least 1';
  }
  return undefined;
}
