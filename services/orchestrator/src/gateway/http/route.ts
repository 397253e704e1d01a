import type { Exchange } from './exchange';

/** A route that another part of the program adds to the surface. */
export interface Route {
  readonly method: 'get' | 'post';
  /** May name an `:id`. */
  readonly path: string;
  readonly handle: (exchange: Exchange, id: string | undefined) => Promise<void>;
}
