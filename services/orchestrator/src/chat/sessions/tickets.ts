import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sessionKeys } from '@matsuri/contract';
import type { PepperRing } from '@matsuri/database';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { within } from './within';

/** Whom a ticket lets in, and where. */
interface TicketClaims {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  /** The API token it was issued under: when that ends, so does the ticket. */
  readonly tokenId: string;
}

/** Tickets for browsers, which cannot send a bearer token with a WebSocket and should not have one. */
export interface Tickets {
  issue(claims: TicketClaims): Promise<string>;
  /** `undefined` for a ticket that is forged, too old, or was used before. */
  redeem(ticket: string): Promise<TicketClaims | undefined>;
}

export interface TicketsOptions {
  readonly ring: PepperRing;
  readonly lifetimeMs: number;
  /** Absent: there is no Redis. */
  readonly redis?: Pick<Redis, 'set' | 'getdel'>;
  readonly nowMs: () => number;
}

const content = z.strictObject({
  t: z.string(),
  u: z.string(),
  s: z.string(),
  k: z.string(),
  /** Until when, in milliseconds since 1970. */
  e: z.number(),
  /** Whether its digest was stored, to be taken away by the one use it has. */
  r: z.boolean(),
  n: z.string(),
});

const MAX_LENGTH = 2_048;
const MAX_USED = 50_000;
const PURPOSE = 'matsuri session ticket 1';

/**
 * A ticket is signed, so that it can be checked without asking anybody, and its digest is stored, so that it can be used
 * once among all tasks. While Redis is away or hangs, each task still accepts it once: what remains of its minute is
 * then all the protection against a second use at another task.
 */
export function createTickets({ ring, lifetimeMs, redis, nowMs }: TicketsOptions): Tickets {
  const keys = ring.all.map(({ secret }) => createHmac('sha256', secret).update(PURPOSE).digest());
  const newest = createHmac('sha256', ring.newest.secret).update(PURPOSE).digest();
  const used = new Map<string, number>();

  const useHere = (digest: string, untilMs: number): boolean => {
    if (used.has(digest)) return false;
    if (used.size >= MAX_USED) forgetExpired(used, nowMs());
    used.set(digest, untilMs);
    return true;
  };

  const useEverywhere = async (digest: string): Promise<boolean> => {
    if (!redis) return true;
    try {
      return (await within(redis.getdel(sessionKeys.ticket(digest)))) !== null;
    } catch {
      return true;
    }
  };

  return {
    async issue({ tenantId, userId, sessionId, tokenId }) {
      const about = { t: tenantId, u: userId, s: sessionId, k: tokenId, e: nowMs() + lifetimeMs };
      const nonce = randomBytes(18).toString('base64url');
      const signedOnly = () => sign({ ...about, r: false, n: nonce }, newest);
      if (!redis) return signedOnly();
      const stored = sign({ ...about, r: true, n: nonce }, newest);
      try {
        await within(redis.set(sessionKeys.ticket(digestOf(stored)), '1', 'PX', lifetimeMs));
        return stored;
      } catch {
        return signedOnly();
      }
    },

    async redeem(ticket) {
      const claims = verified(ticket, keys);
      if (!claims || claims.e < nowMs()) return undefined;
      const digest = digestOf(ticket);
      if (!useHere(digest, claims.e)) return undefined;
      if (claims.r && !(await useEverywhere(digest))) return undefined;
      return { tenantId: claims.t, userId: claims.u, sessionId: claims.s, tokenId: claims.k };
    },
  };
}

function sign(about: z.output<typeof content>, key: Buffer): string {
  const body = Buffer.from(JSON.stringify(about)).toString('base64url');
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`;
}

function verified(ticket: string, keys: readonly Buffer[]): z.output<typeof content> | undefined {
  const [body = '', signature = '', ...more] = ticket.split('.', 3);
  if (ticket.length > MAX_LENGTH || more.length > 0) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const genuine = keys.some((key) => {
    const right = createHmac('sha256', key).update(body).digest();
    return right.length === given.length && timingSafeEqual(right, given);
  });
  if (!genuine) return undefined;
  const parsed = content.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
  return parsed.success ? parsed.data : undefined;
}

function digestOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url');
}

function forgetExpired(used: Map<string, number>, nowMs: number): void {
  for (const [digest, untilMs] of used) if (untilMs < nowMs) used.delete(digest);
  // Tickets cost a signed-in request each: this many live ones at once is an attack by a customer.
  if (used.size >= MAX_USED) used.clear();
}
