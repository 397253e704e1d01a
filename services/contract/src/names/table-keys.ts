import { keySegment } from '../redis/key';

const TURN_DIGITS = 8;

/** Keys of the sessions table: tenant and session together name a partition, so no look-up can forget one. */
export const sessionItemKeys = {
  partition: (tenantId: string, sessionId: string) =>
    `${keySegment(tenantId)}:${keySegment(sessionId)}`,
  session: () => 'session',
  /** Sorts by number. */
  turn: (turn: number) => `turn:${String(turn).padStart(TURN_DIGITS, '0')}`,
} as const;

/** Keys of the fleet table. */
export const fleetItemKeys = {
  user: (userId: string) => `user:${keySegment(userId)}`,
  worker: (workerId: string) => `worker:${keySegment(workerId)}`,
} as const;
