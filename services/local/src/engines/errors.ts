/** The machine cannot provide this engine; the message says what to install. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
}

/** The engine was launched and ended, or stayed silent, before it was ready. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError';

  constructor(
    readonly engine: string,
    why: string,
    readonly log: string,
  ) {
    super(`${engine} ${why}${log === '' ? '' : `; its last words:\n${log.trim()}`}`);
  }

  /** Another program took the port between our finding it free and the engine's binding it. */
  get portWasTaken(): boolean {
    return /EADDRINUSE|address (already )?in use/i.test(this.log);
  }
}
