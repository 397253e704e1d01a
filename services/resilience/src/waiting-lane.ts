import type { Cancel } from './core/clock';
import { Fifo, type Linked } from './core/fifo';
import type { Demand } from './bucket-port';
import type { Scope } from './request-scope';

/** A request that wants a place. */
export interface Waiting<D extends string, Result> extends Linked<Waiting<D, Result>> {
  readonly demand: Demand<D>;
  readonly scope: Scope;
  readonly sinceMs: number;
  /** The least time this request takes of the group's refill. */
  readonly refillMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
  queued: boolean;
  /** The bucket is being asked for it. */
  asked: boolean;
  /** Takes it out when its caller leaves. */
  readonly quit: () => void;
  /** Of the timer over its deadline; there is none while it is asked for, as a question ends by itself. */
  cancelTimer: Cancel | undefined;
}

/** The requests of one tenant, first come first served. */
export interface Lane<D extends string, Result> {
  readonly tenant: string;
  readonly waiting: Fifo<Waiting<D, Result>>;
  /** The first that is not being asked for. */
  next: Waiting<D, Result> | undefined;
  refillMs: number;
  asking: number;
  /** How many the bucket may be asked for at once. */
  width: number;
  pausing: boolean;
}

export function newLane<D extends string, Result>(tenant: string): Lane<D, Result> {
  return {
    tenant,
    waiting: new Fifo(),
    next: undefined,
    refillMs: 0,
    asking: 0,
    width: Infinity,
    pausing: false,
  };
}
