/** One command line of an engine, as its supervisor runs it. */
export interface Launch {
  readonly command: string;
  /** The name the program is told it was called by; some binaries are several programs in one. */
  readonly argv0?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Run as this user instead of ours; only root may ask for it. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** What the engine prints once it accepts connections; without it, the command just runs. */
  readonly readyText?: string;
  /** Ends the engine quickly; nobody needs its data any more. */
  readonly stopSignal: NodeJS.Signals;
  /** Set when the command is a Docker client: signals go to this container, not to the client. */
  readonly container?: string;
}

/** What the owner asks of a supervisor. Closing the channel asks it to end everything. */
export type SupervisorRequest =
  | { readonly ask: 'start'; readonly launch: Launch }
  | { readonly ask: 'signal'; readonly signal: NodeJS.Signals };

/** What a supervisor reports. */
export type SupervisorReport =
  | { readonly event: 'spawned'; readonly pid: number }
  | { readonly event: 'ready' }
  | { readonly event: 'signalled' }
  | {
      readonly event: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      /** The end of what the engine printed. */
      readonly log: string;
    };
