import type { PlatformOverrides } from '@matsuri/contract';
import {
  createApiTokenRepository,
  createPool,
  migrate,
  type DatabasePool,
  type IssuedToken,
  type NewApiToken,
} from '@matsuri/database';
import {
  freshDatabase,
  postgres,
  requireRedis,
  startBedrockStandIn,
  startFaultProxy,
  startPostgres,
  startRedis,
  type BedrockStandIn,
  type BedrockStandInOptions,
  type FaultProxy,
  type RunningPostgres,
  type RunningRedis,
} from '@matsuri/local';
import { gatewayEnvironment, newPepper, type RunPepper } from './gateway-environment';
import type { GatewayLog } from './gateway-log';
import { startGatewayProcess, type GatewayProcess } from './gateway-process';
import { History } from './history';

export interface ClusterOptions {
  /** How many gateway processes. */
  readonly gateways: number;
  readonly platform: PlatformOverrides;
  readonly bedrock?: BedrockStandInOptions;
  /**
   * A PostgreSQL server that may be crashed, instead of a database on the one that serves the test run.
   *
   * @default false
   */
  readonly ownPostgres?: boolean;
  /** Decides what the links do by chance. @default 1 */
  readonly seed?: number;
}

/** Links between the gateways and what they stand on; each can be made to misbehave. */
type Links = Readonly<Record<'redis' | 'postgres' | 'bedrock', FaultProxy>>;

/** Gateways over one Redis, one PostgreSQL and one Bedrock, and everything needed to hurt and to watch them. */
export interface Cluster {
  readonly history: History;
  readonly bedrock: BedrockStandIn;
  readonly links: Links;
  readonly redis: RunningRedis;
  /** Only with `ownPostgres`. */
  readonly postgresServer: RunningPostgres | undefined;
  readonly databaseUrl: string;
  /** Past the fault proxy. */
  readonly pool: DatabasePool;
  readonly pepper: RunPepper;
  /** Those that run now, by place. */
  readonly gateways: readonly GatewayProcess[];
  /** Of every process there has been. */
  readonly logs: readonly GatewayLog[];
  gateway(place: number): GatewayProcess;
  /** Starts a process at a place whose process has ended. */
  replace(place: number): Promise<GatewayProcess>;
  issueToken(token?: Partial<NewApiToken>): Promise<IssuedToken>;
  close(): Promise<void>;
}

const UNLIMITED_TOKEN: NewApiToken = {
  tenantId: 'tenant',
  userId: 'user',
  name: 'test',
  allowedModels: null,
  rpm: null,
  tpm: null,
  dayCapMicroUsd: null,
  monthCapMicroUsd: null,
  expiresAt: null,
};

/** Starts everything; what has been started is closed again should a later part fail. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const closing: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closing.toReversed()) await close();
  };
  try {
    return await build(options, (close) => void closing.push(close), closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function build(
  options: ClusterOptions,
  onClose: (close: () => Promise<unknown>) => void,
  closeAll: () => Promise<void>,
): Promise<Cluster> {
  const kept = <T extends { close(): Promise<unknown> }>(part: T): T => {
    onClose(() => part.close());
    return part;
  };
  const { seed = 1 } = options;
  const redis = kept(requireRedis(await startRedis()));
  const server =
    options.ownPostgres === true ? kept(await startPostgres({ durable: false })) : undefined;
  const database = server ? await freshDatabase(server.url) : kept(await postgres());
  await migrate(database.url);
  const pool = kept(
    createPool({ url: database.url, applicationName: 'harness', maxConnections: 2 }),
  );
  const bedrock = kept(await startBedrockStandIn(options.bedrock));
  const link = async (port: number): Promise<FaultProxy> =>
    kept(await startFaultProxy({ upstream: { host: '127.0.0.1', port }, seed }));
  const links = {
    redis: await link(redis.port),
    postgres: await link(Number(new URL(database.url).port)),
    bedrock: await link(bedrock.port),
  };
  const pepper = newPepper();
  const environment = gatewayEnvironment(
    options.platform,
    {
      databaseUrl: links.postgres.through(database.url),
      redisUrl: links.redis.through(redis.url),
      bedrockUrl: links.bedrock.through(bedrock.url),
    },
    pepper,
  );
  const history = new History();
  const fleet = startFleet(environment, history);
  onClose(() => fleet.close());
  const starting = Array.from({ length: options.gateways }, (_, place) => fleet.start(place));
  // All of them are there to be ended again, or none is, before a failure is told.
  await Promise.allSettled(starting);
  await Promise.all(starting);
  const tokens = createApiTokenRepository(pool, pepper.ring);

  return {
    history,
    bedrock,
    links,
    redis,
    postgresServer: server,
    databaseUrl: database.url,
    pool,
    pepper,
    gateways: fleet.processes,
    logs: fleet.logs,
    gateway: fleet.at,
    replace: (place) => fleet.start(place),
    issueToken: (token = {}) => tokens.create({ ...UNLIMITED_TOKEN, ...token }),
    close: closeAll,
  };
}

function startFleet(environment: Readonly<Record<string, string>>, history: History) {
  const processes: GatewayProcess[] = [];
  const logs: GatewayLog[] = [];
  const started = new Map<number, number>();
  const at = (place: number): GatewayProcess => {
    const found = processes[place];
    if (!found) throw new RangeError(`there is no gateway ${place}`);
    return found;
  };
  return {
    processes,
    logs,
    at,
    async start(place: number): Promise<GatewayProcess> {
      const life = (started.get(place) ?? 0) + 1;
      started.set(place, life);
      const name = `g${place + 1}#${life}`;
      const gateway = await startGatewayProcess({ name, environment, history });
      processes[place] = gateway;
      logs.push(gateway.log);
      return gateway;
    },
    close: () => Promise.all(processes.map((gateway) => gateway.kill())),
  };
}
