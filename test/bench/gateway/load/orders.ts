import type { Shape } from '../plan';
import type { Wire } from './content-counter';

/** One kind of request, ready to be sent again and again. */
export interface RequestKind {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Taken in turn, so that nobody can remember an answer. */
  readonly bodies: readonly string[];
}

/** A system under load. */
export interface Target {
  /** Connections are kept under this name between orders. */
  readonly name: string;
  readonly origin: string;
  readonly wire: Wire;
  readonly requests: Readonly<Record<Shape, RequestKind>>;
}

interface EveryOrder {
  readonly target: Target;
  readonly shape: Shape;
  readonly connections: number;
}

/** Requests arrive at a rate, whether or not those before them were answered. */
export interface OpenLoopOrder extends EveryOrder {
  readonly kind: 'open-loop';
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly seed: number;
}

/** So many callers, each asking anew when it was answered, until enough was asked. */
export interface ClosedLoopOrder extends EveryOrder {
  readonly kind: 'closed-loop';
  readonly callers: number;
  readonly requests: number;
}

/** What the load generator is told. */
export type Order = OpenLoopOrder | ClosedLoopOrder;

/** What became of an order: the whole samples, nothing summed up. */
export interface Sample {
  readonly tookMs: number;
  /** From the intended start to the last byte, of every good answer. */
  readonly wholeMs: Float64Array;
  /** From the intended start to the first text, of every good answer; the last byte for JSON. */
  readonly firstContentMs: Float64Array;
  /** How late the generator itself was, of every request. */
  readonly lateMs: Float64Array;
  /** Requests without a good answer, by what was wrong. */
  readonly errors: Readonly<Record<string, number>>;
}

export type OrderOutcome =
  | { readonly kind: 'done'; readonly sample: Sample }
  | { readonly kind: 'failed'; readonly message: string };
