import { randomBytes } from 'node:crypto';
import {
  encodeOverrides,
  PATHS,
  SERVICES,
  type apiEnvironment,
  type apiSecrets,
  type PlatformOverrides,
  type Provides,
} from '@matsuri/contract';
import type { RunPepper } from './gateway-environment';
import { numberAt, parsed } from './json';
import { startProgramProcess } from './program-process';

type Told = Partial<Provides<typeof apiEnvironment, string>> & Provides<typeof apiSecrets, string>;

interface ManagementAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The management API as a process, with its administrator. */
export interface ManagementProcess {
  /** A request of the administrator: the path of tokens or of usage, what follows it, and a body. */
  ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<ManagementAnswer>;
  close(): Promise<void>;
}

/** Starts the management API over the database of a cluster. */
export async function startManagement(
  databaseUrl: string,
  platform: PlatformOverrides,
  pepper: RunPepper,
): Promise<ManagementProcess> {
  const adminToken = randomBytes(32).toString('hex');
  const database = new URL(databaseUrl);
  const address = `postgres://${database.host}${database.pathname}`;
  const environment = {
    PLATFORM_OVERRIDES: encodeOverrides(platform),
    AWS_REGION: 'ap-northeast-1',
    PORT: '0',
    HEALTH_PORT: '0',
    DATABASE_URL: address,
    DATABASE_READER_URL: address,
    DATABASE_USER: decodeURIComponent(database.username),
    DATABASE_PASSWORD: decodeURIComponent(database.password),
    REDIS_URL: '',
    REDIS_PASSWORD: '',
    ALLOWED_ORIGINS: '',
    WORKER_CONTROL_QUEUE_URL: '',
    TOKEN_PEPPERS: pepper.variable,
    ADMIN_TOKEN: adminToken,
  } satisfies Told;
  const program = await startProgramProcess({
    name: 'api',
    program: SERVICES.api,
    environment,
    readyMessage: 'listening',
  });
  const url = `http://127.0.0.1:${numberAt(program.ready, 'port') ?? 0}`;
  return {
    async ask(method, path, body) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: parsed(await response.text()) };
    },
    close: () => program.end('SIGTERM'),
  };
}

/** Where tokens of a tenant are managed; `rest` names one of them, and what is done to it. */
export function tokensPath(tenant: string, rest = ''): string {
  return `${PATHS.tokens}${rest}?tenant=${encodeURIComponent(tenant)}`;
}
