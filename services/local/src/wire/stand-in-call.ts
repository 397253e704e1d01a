import type { Request } from './listen';

/** A request as a stand-in sees it, body and all. */
export interface StandInCall {
  readonly method: string;
  /** Percent-decoded segments of the path. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: Request['headers'];
  readonly body: Buffer;
}

/** What goes back. */
export interface StandInReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A reply that carries JSON. */
export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): StandInReply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}
