import type { IncomingMessage } from 'node:http';
import { DatabaseUnavailableError, type ApiToken, type TokenDirectory } from '@matsuri/database';
import { blockedForMs, newAuthFailures, noteAuthFailure } from '../core/auth-failures';
import { clientAddress } from '../core/client-address';
import type { OpenAiError } from '../core/openai/refusal/open-ai-error';
import { refusal } from '../core/openai/refusal/refusals';
import { header } from './exchange';

type SignInResult =
  | { readonly ok: true; readonly token: ApiToken }
  | { readonly ok: false; readonly error: OpenAiError };

/** Finds out who calls. */
export type SignIn = (incoming: IncomingMessage) => Promise<SignInResult>;

export interface SignInOptions {
  readonly directory: Pick<TokenDirectory, 'authenticate'>;
  readonly nowMs: () => number;
  readonly onValidated: (tookMs: number) => void;
}

const FAILURES = { burst: 20, perMinute: 20, maxAddresses: 10_000 };
const DIRECTORY_RETRY_MS = 2_000;
const MAX_REGULARS = 50_000;

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Signs callers in by their bearer token. An address that failed too often is turned away unasked, except for tokens
 * that were good before: a stranger behind the same address must not lock a customer out.
 */
export function createSignIn({ directory, nowMs, onValidated }: SignInOptions): SignIn {
  const failures = newAuthFailures(FAILURES);
  const regulars = new Set<number>();

  const refuse = (reason: 'key-missing' | 'key-invalid', address: string): SignInResult => {
    noteAuthFailure(failures, address, nowMs());
    return { ok: false, error: refusal(reason) };
  };

  return async (incoming) => {
    const peer = incoming.socket.remoteAddress ?? '';
    const address = clientAddress(peer, header(incoming, 'x-forwarded-for'));
    const presented = bearerToken(incoming);
    const mark = presented === undefined ? 0 : markOf(presented);
    const startedAtMs = nowMs();
    const waitMs = blockedForMs(failures, address, startedAtMs);
    if (waitMs > 0 && !regulars.has(mark)) {
      return { ok: false, error: refusal('key-failures', { waitMs }) };
    }
    if (presented === undefined) return refuse('key-missing', address);
    try {
      const result = await directory.authenticate(presented);
      onValidated(nowMs() - startedAtMs);
      if (!result.ok) return refuse('key-invalid', address);
      if (regulars.size >= MAX_REGULARS) regulars.clear();
      regulars.add(mark);
      return result;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      return { ok: false, error: refusal('ledger-unavailable', { waitMs: DIRECTORY_RETRY_MS }) };
    }
  };
}

/** The one token presented; several are as good as none, or a proxy and we might believe different ones. */
function bearerToken({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) seen += 1;
  }
  return seen === 1 ? BEARER.exec(headers.authorization ?? '')?.[1] : undefined;
}

const AUTHORIZATION = 'authorization';

/** Tells tokens apart without keeping them. */
function markOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at += 1) {
    hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  }
  return hash;
}
