import type { BreakerTransition, LogProblem } from './evidence';
import { parsed, textAt } from './json';

/** Words that no log of a healthy process contains. */
const NEVER = /unhandled|uncaught|MaxListenersExceeded|DeprecationWarning|\bmts_[\w-]{20}/i;

/** What every prompt of a run contains, and no log may. */
export const PROMPT_CANARY = 'unspeakable-canary';

const KEPT_LINES = 4_000;

/** Reads the output of one process: keeps the latest of it, and what can be held against it. */
export class GatewayLog {
  readonly transitions: BreakerTransition[] = [];
  readonly problems: LogProblem[] = [];
  readonly #lines: string[] = [];
  readonly #rest = new Map<string, string>();

  constructor(readonly gateway: string) {}

  /** The latest lines. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Takes output as it comes, in any pieces, from standard output or standard error. */
  take(source: 'stdout' | 'stderr', text: string): void {
    const lines = `${this.#rest.get(source) ?? ''}${text}`.split('\n');
    this.#rest.set(source, lines.pop() ?? '');
    for (const line of lines) this.#read(source, line);
  }

  /** The first line that says this, if any. */
  find(message: string): unknown {
    for (const line of this.#lines) {
      const entry = parsed(line);
      if (textAt(entry, 'msg') === message) return entry;
    }
    return undefined;
  }

  #read(source: 'stdout' | 'stderr', line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    const { gateway } = this;
    if (NEVER.test(line) || line.includes(PROMPT_CANARY) || source === 'stderr') {
      this.problems.push({ gateway, line: line.slice(0, 500) });
    }
    if (!line.includes('"breaker"')) return;
    const entry = parsed(line);
    if (textAt(entry, 'msg') !== 'breaker') return;
    this.transitions.push({
      gateway,
      atMs: Date.parse(textAt(entry, 'time') ?? ''),
      target: textAt(entry, 'target') ?? '',
      from: textAt(entry, 'from') ?? '',
      to: textAt(entry, 'to') ?? '',
    });
  }
}
