import { configure, DOWNSTREAMS, METRICS, type MetricDefinition } from '@matsuri/contract';
import type { Metrics } from '@matsuri/telemetry';
import { createGatewayMetrics } from '../../gateway/gateway-metrics';
import { createDownstreams, utilisationsOf } from './downstreams';

const configuration = configure();

/** Everything that is ever published here, by metric: the values of its dimension. */
function publish() {
  const published = new Map<string, Set<string>>();
  const note = (definition: MetricDefinition, dimensions: Record<string, string> = {}): void => {
    const values = published.get(definition.name) ?? new Set();
    published.set(definition.name, values);
    for (const value of Object.values(dimensions)) values.add(value);
  };
  const metrics = {
    record: (definition: MetricDefinition, _: number, dimensions?: Record<string, string>) =>
      note(definition, dimensions),
    gauge: (definition: MetricDefinition, _: unknown, dimensions?: Record<string, string>) =>
      note(definition, dimensions),
    declare: note,
  } as unknown as Metrics;
  const downstreams = createDownstreams({
    configuration,
    metrics,
    log: { warn: () => undefined },
  });
  const gateway = createGatewayMetrics({ metrics, configuration });
  gateway.gauge({ figures: never, openBreakers: never, limiterDegraded: never });
  gateway.came({ active: 0, waiting: 0, inFlight: 0, outside: 0, meanHeldMs: undefined });
  gateway.fellBack();
  gateway.refused({ reason: 'overloaded' } as never);
  return { published, downstreams };
}

test('embeddings leave a socket to every slot', async () => {
  const { maxConnections } = configuration.pools.perTask.bedrock;
  const { embedding } = publish().downstreams;
  const leave = new AbortController();
  const scope = { deadlineAtMs: Infinity, signal: leave.signal };
  const calls = Array.from({ length: maxConnections }, () =>
    embedding.run(scope, () => new Promise(() => undefined)).catch(() => undefined),
  );
  await Promise.resolve();
  expect(embedding.pool().inUse).toBe(maxConnections - configuration.gateway.slotsPerTask);
  leave.abort();
  await Promise.all(calls);
});

test('every pool has its utilisation; that of the models is slots in use', () => {
  const { slotsPerTask } = configuration.gateway;
  const utilisations = utilisationsOf(publish().downstreams, { active: 45, slotsPerTask });
  expect(Object.keys(utilisations).sort()).toEqual(DOWNSTREAMS.toSorted());
  expect(utilisations).toMatchObject({ bedrock: 0.9, redis: 0 });
});

const never = (): never => {
  throw new Error('nobody reads it');
};

test.each([
  'breakerOpen',
  'breakerFallbacks',
  'poolUtilization',
  'poolAcquires',
  'poolAcquireTimeouts',
] as const)('%s is published for exactly the downstreams that alarms and panels name', (metric) => {
  const { published } = publish();
  expect([...(published.get(METRICS[metric].name) ?? [])].sort()).toEqual(DOWNSTREAMS.toSorted());
});
