import type { SessionRef, SessionStore, Turn } from '../../ports';

/** Sessions in memory, told apart as the real ones are. */
export class MemoryStore implements SessionStore {
  readonly #turns = new Map<string, Turn[]>();

  create(session: SessionRef): Promise<void> {
    this.#turns.set(keyOf(session), []);
    return Promise.resolve();
  }

  exists(session: SessionRef): Promise<boolean> {
    return Promise.resolve(this.#turns.has(keyOf(session)));
  }

  lastTurns(session: SessionRef, limit: number): Promise<readonly Turn[]> {
    return Promise.resolve((this.#turns.get(keyOf(session)) ?? []).slice(-limit));
  }

  append(session: SessionRef, turn: Turn): Promise<void> {
    this.#turns.get(keyOf(session))?.push(turn);
    return Promise.resolve();
  }
}

function keyOf({ tenantId, userId, sessionId }: SessionRef): string {
  return JSON.stringify([tenantId, userId, sessionId]);
}
