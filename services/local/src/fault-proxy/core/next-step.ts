import type { Random } from './random';
import type { Ending, Toxic } from './toxic';

/** What waits at the head of one direction: bytes, or the news that the sender has closed or reset. */
export interface Parcel {
  readonly kind: 'data' | 'end' | 'reset';
  /** Bytes still to be passed on; 0 for news. */
  readonly bytes: number;
  readonly arrivedAtMs: number;
  /** Drawn once, on arrival: where in the range of any jitter this parcel falls. */
  readonly draw: number;
}

/** One direction of a connection, as far as the next step depends on it. */
export interface Flow {
  /** The toxics that spoil this direction. */
  readonly toxics: readonly Toxic[];
  /** Bytes each `limit_data` toxic has let through here. */
  readonly passedUnder: ReadonlyMap<Toxic, number>;
  /** When the pause ends that the previous piece asked for. */
  readonly notBeforeMs: number;
}

/** What to do with the head of the queue. */
export type Step =
  /** Nothing, until the toxics change. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'cut'; readonly ending: Ending }
  /** Pass so many bytes, or the news, and then pause or cut. */
  | {
      readonly kind: 'pass';
      readonly bytes: number;
      readonly thenNotBeforeMs: number;
      readonly thenCut?: Ending;
    };

const PIECES_PER_SECOND = 20;

/** Timers are late; so much of it is made up for by the next pause, or a fast link could not be paced. */
const MAKES_UP_FOR_MS = 20;

/** Decides the next step of one direction. */
export function nextStep(head: Parcel, flow: Flow, nowMs: number, random: Random): Step {
  if (flow.toxics.some(({ type }) => type === 'timeout')) return { kind: 'hold' };

  const dueAtMs = Math.max(flow.notBeforeMs, head.arrivedAtMs + lateness(head, flow.toxics));
  if (nowMs < dueAtMs) return { kind: 'wait', untilMs: dueAtMs };
  if (head.kind !== 'data') return { kind: 'pass', bytes: 0, thenNotBeforeMs: 0 };

  const limit = tightestLimit(flow);
  if (limit?.bytes === 0) return { kind: 'cut', ending: limit.ending };

  const piece = nextPiece(head.bytes, flow.toxics, random);
  const bytes = Math.min(piece, limit?.bytes ?? piece);
  const pauseFromMs = Math.max(dueAtMs, nowMs - MAKES_UP_FOR_MS);
  const thenNotBeforeMs = pauseFromMs + pauseAfter(bytes, flow.toxics);
  const pass = { kind: 'pass', bytes, thenNotBeforeMs } as const;
  return bytes === limit?.bytes ? { ...pass, thenCut: limit.ending } : pass;
}

/** How late a parcel arrives: latency spread by jitter, and for news of the end, slow closing. */
export function lateness(parcel: Pick<Parcel, 'kind' | 'draw'>, toxics: readonly Toxic[]): number {
  return sum(toxics, (toxic) => {
    switch (toxic.type) {
      case 'latency':
        return Math.max(0, toxic.latencyMs + spread(parcel.draw, toxic.jitterMs ?? 0));
      case 'slow_close':
        return parcel.kind === 'data' ? 0 : toxic.delayMs;
      case 'bandwidth':
      case 'slicer':
      case 'timeout':
      case 'limit_data':
      case 'reset_peer':
        return 0;
    }
  });
}

/** How many of the waiting bytes go next in one piece: at least one, at most all. */
export function nextPiece(waiting: number, toxics: readonly Toxic[], random: Random): number {
  const sizes = toxics.map((toxic) => {
    if (toxic.type === 'slicer') {
      return Math.round(toxic.averageBytes + spread(random(), toxic.variationBytes ?? 0));
    }
    if (toxic.type === 'bandwidth') return Math.ceil(toxic.bytesPerSecond / PIECES_PER_SECOND);
    return waiting;
  });
  return Math.max(1, Math.min(waiting, ...sizes));
}

function pauseAfter(bytes: number, toxics: readonly Toxic[]): number {
  return sum(toxics, (toxic) => {
    if (toxic.type === 'slicer') return toxic.delayMs ?? 0;
    if (toxic.type === 'bandwidth') return (bytes / toxic.bytesPerSecond) * 1000;
    return 0;
  });
}

function tightestLimit(flow: Flow): { bytes: number; ending: Ending } | undefined {
  const limits = flow.toxics.flatMap((toxic) => {
    if (toxic.type !== 'limit_data') return [];
    const left = Math.max(0, toxic.bytes - (flow.passedUnder.get(toxic) ?? 0));
    return [{ bytes: left, ending: toxic.ending ?? 'close' }];
  });
  return limits.sort((a, b) => a.bytes - b.bytes)[0];
}

function spread(draw: number, width: number): number {
  return (2 * draw - 1) * width;
}

function sum(toxics: readonly Toxic[], of: (toxic: Toxic) => number): number {
  return toxics.reduce((total, toxic) => total + of(toxic), 0);
}
