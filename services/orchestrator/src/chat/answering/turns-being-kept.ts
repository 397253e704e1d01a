import type { SessionRef } from '../ports';

/** Turns on their way to the table: whoever asks again at once is not answered as if nothing had been said. */
export class TurnsBeingKept {
  readonly #bySession = new Map<string, Promise<unknown>>();

  /** Undefined: there are none of this session. Never rejects. */
  of(session: SessionRef): Promise<unknown> | undefined {
    return this.#bySession.get(keyOf(session));
  }

  async during(session: SessionRef, keep: () => Promise<void>): Promise<void> {
    const key = keyOf(session);
    const kept = keep();
    const all = Promise.allSettled([this.#bySession.get(key), kept]);
    this.#bySession.set(key, all);
    try {
      await kept;
    } finally {
      // Another may have joined since.
      if (this.#bySession.get(key) === all) this.#bySession.delete(key);
    }
  }
}

function keyOf({ tenantId, sessionId }: SessionRef): string {
  return JSON.stringify([tenantId, sessionId]);
}
