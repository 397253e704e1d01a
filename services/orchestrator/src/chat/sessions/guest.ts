import type { IncomingMessage } from 'node:http';
import { HEADERS, idSchema } from '@matsuri/contract';
import type { ApiToken } from '@matsuri/database';
import type { OpenAiError } from '../../gateway/core/openai/refusal/open-ai-error';
import { refusal } from '../../gateway/core/openai/refusal/refusals';
import { header } from '../../gateway/http/exchange';
import type { SessionRef } from '../ports';
import type { Guest } from './connection';
import type { SessionWorld } from './session-world';

interface Refusal {
  readonly ok: false;
  readonly error: OpenAiError;
}

/** An API token's bearer, and the end user it speaks for. */
export interface Patron {
  readonly ok: true;
  readonly token: ApiToken;
  readonly userId: string;
}

const LOOK_UP_MS = 5_000;
export const STORE_RETRY_MS = 1_000;

/** Who calls, on whose behalf: the caller's backend asserts its user; without a word it speaks for itself. */
export async function signInPatron(
  incoming: IncomingMessage,
  { signIn }: Pick<SessionWorld, 'signIn'>,
): Promise<Patron | Refusal> {
  const signedIn = await signIn(incoming);
  if (!signedIn.ok) return signedIn;
  const asserted = header(incoming, HEADERS.endUser) ?? signedIn.token.userId;
  const userId = idSchema.safeParse(asserted);
  if (!userId.success) return { ok: false, error: refusal('end-user-invalid') };
  return { ok: true, token: signedIn.token, userId: userId.data };
}

/** Who calls, for a session of theirs: a session of anybody else is not found. */
export async function signInGuest(
  incoming: IncomingMessage,
  sessionId: string,
  world: Pick<SessionWorld, 'signIn' | 'store' | 'log'>,
): Promise<{ readonly ok: true; readonly guest: Guest; readonly token: ApiToken } | Refusal> {
  const patron = await signInPatron(incoming, world);
  if (!patron.ok) return patron;
  const { tenantId, id: tokenId } = patron.token;
  const session: SessionRef = { tenantId, userId: patron.userId, sessionId };
  try {
    if (!(await world.store.exists(session, AbortSignal.timeout(LOOK_UP_MS)))) {
      return { ok: false, error: refusal('session-not-found') };
    }
  } catch (err) {
    world.log.warn('a session could not be looked up', { err });
    return { ok: false, error: refusal('sessions-unavailable', { waitMs: STORE_RETRY_MS }) };
  }
  return { ok: true, guest: { session, token: { tenantId, tokenId } }, token: patron.token };
}
