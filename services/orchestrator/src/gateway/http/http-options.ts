import type { Model, PlatformConfiguration, Residency } from '@matsuri/contract';
import type { CompletionTasks } from '@matsuri/database';
import type { Logger, Tracer } from '@matsuri/telemetry';
import type { CompletionRunner } from '../completions/completion-runner';
import type { Gateway } from '../gateway';
import type { Cors } from './cors';
import type { HttpObserver } from './http-observer';
import type { BodyMemory } from './read-body';
import type { Route } from './route';
import type { SignIn } from './sign-in';

/** What the HTTP surface works with. */
export interface HttpOptions {
  readonly configuration: PlatformConfiguration;
  readonly gateway: Gateway;
  readonly signIn: SignIn;
  /** Answers that are fetched later. */
  readonly completions: {
    readonly tasks: Pick<CompletionTasks, 'begin' | 'find'>;
    readonly runner: Pick<CompletionRunner, 'start'>;
  };
  readonly cors: Cors;
  /** Every name a model can be asked by. */
  readonly models: ReadonlyMap<string, Model>;
  /** Where a tenant's requests may be processed; `null`: wherever the catalogue goes. */
  readonly residenciesOf: (tenantId: string) => readonly Residency[] | null;
  /** Routes besides the gateway's own. */
  readonly routes: readonly Route[];
  readonly bodyMemory: BodyMemory;
  /** Whether the process has time for a completion, or when it will have. */
  readonly enterCall: () =>
    { readonly admitted: true } | { readonly admitted: false; readonly retryAfterMs: number };
  /** Called for each completion that is asked for in earnest: signed in, and understood. */
  readonly onCall: () => void;
  readonly observer: HttpObserver;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'isEnabled'>;
  readonly tracer: Pick<Tracer, 'join'>;
  /** Whether connections should be given up after the answer. */
  readonly draining: () => boolean;
}
