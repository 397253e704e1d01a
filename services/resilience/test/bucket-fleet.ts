import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A hundred a second, twenty at once, three processes. */
export const PER_MINUTE = 6_000;
export const BURST = 20;
export const PROCESSES = 3;
export const TENANTS = ['a', 'b', 'c', 'd'];
export const PER_MICRO = PER_MINUTE / 60e6;

export interface LoggedGrant {
  readonly tenant: string;
  readonly source: 'shared' | 'local';
  readonly atMicros: number;
  readonly process: number;
}

/** How wrong each process's wall clock is. */
const SKEWS = ['30000', '-30000', 'swinging'];

/** Three real processes on one bucket, saturating it until stopped. */
export class BucketFleet {
  readonly grants: LoggedGrant[] = [];
  readonly #children: readonly ChildProcess[];
  readonly #ended: Promise<unknown>;
  #onGrant: (() => void) | undefined;

  constructor(url: string) {
    this.#children = SKEWS.map((skew, n) => this.#start(n, url, skew));
    this.#ended = Promise.all(this.#children.map((child) => once(child, 'exit')));
  }

  #start(n: number, url: string, skew: string): ChildProcess {
    const script = require.resolve('./bucket-process');
    const child = spawn(process.execPath, ['--import', 'tsx', script, url, skew], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [tenant = '', source, atMicros] = line.split(' ');
      this.grants.push({
        tenant,
        source: source === 'local' ? 'local' : 'shared',
        atMicros: Number(atMicros),
        process: n,
      });
      this.#onGrant?.();
    });
    return child;
  }

  /** Resolves when the log satisfies the condition; the test's own time limit ends a vain wait. */
  async until(condition: (grants: readonly LoggedGrant[]) => boolean): Promise<void> {
    if (condition(this.grants)) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#onGrant = () => {
      if (condition(this.grants)) resolve(undefined);
    };
    await promise;
    this.#onGrant = undefined;
  }

  /** Everyone has been granted something since that instant. */
  async allGrantedSince(atMicros: number, source?: LoggedGrant['source']): Promise<void> {
    await this.until((grants) => {
      const since = grants.filter(
        (g) => g.atMicros > atMicros && g.source === (source ?? g.source),
      );
      return new Set(since.map((g) => g.process)).size === PROCESSES;
    });
  }

  /** Lets the requests that wait finish, then ends. */
  async stop(): Promise<void> {
    for (const child of this.#children) child.stdin?.end();
    const timer = setTimeout(
      () => this.#children.forEach((child) => child.kill('SIGKILL')),
      10_000,
    );
    await this.#ended;
    clearTimeout(timer);
  }
}
