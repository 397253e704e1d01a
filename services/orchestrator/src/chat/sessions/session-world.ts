import type { PlatformConfiguration } from '@matsuri/contract';
import type { ApiToken } from '@matsuri/database';
import type { Logger } from '@matsuri/telemetry';
import type { Caller } from '../../gateway/gateway';
import type { SignIn } from '../../gateway/http/sign-in';
import type { BodyMemory } from '../../gateway/http/read-body';
import type { SessionStore } from '../ports';
import type { Answers } from './answers';
import type { Connections } from './connections';
import type { Door } from './door';
import type { Tickets } from './tickets';
import type { TokenWatch } from './token-watch';

/** What the routes and connections of sessions work with. */
export interface SessionWorld {
  readonly settings: PlatformConfiguration['sessions'];
  readonly configuration: PlatformConfiguration;
  readonly answers: Answers;
  readonly store: SessionStore;
  readonly tickets: Tickets;
  readonly tokens: TokenWatch;
  readonly signIn: SignIn;
  readonly door: Door;
  readonly connections: Connections;
  readonly bodyMemory: BodyMemory;
  readonly callerOf: (token: ApiToken) => Caller;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;
}
