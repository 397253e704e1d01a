/** What the adapters promise beyond what a cycle shows. */
import { BedrockClient, CreateProvisionedModelThroughputCommand } from '@aws-sdk/client-bedrock';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { bedrockCapacitySet, configure, mitigationFlags, preScaleSignal } from '@matsuri/contract';
import { Redis } from 'ioredis';
import { bedrockThroughputs } from '../src/adapters/bedrock-throughputs';
import { cloudWatchMetrics } from '../src/adapters/cloudwatch-metrics';
import { dynamodbState } from '../src/adapters/dynamodb-state';
import { redisRecords } from '../src/adapters/redis-records';
import { FRESH_STATE } from '../src/core';
import type { MetricQuery } from '../src/reading/core/metric-queries';
import { startWorld, type CapacityWorld } from './world/world';

const configuration = configure({ environment: 'test' });
const account = {
  region: 'ap-northeast-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
};

let world: CapacityWorld;
let redis: Redis;

beforeAll(async () => {
  world = await startWorld({
    timeScale: 1,
    startAt: '2026-06-09T10:00:00+09:00',
    overrides: { environment: 'test' },
    tasks: 0,
  });
  redis = new Redis(world.environment['REDIS_URL'] ?? '');
});

afterAll(async () => {
  redis.disconnect();
  await world.close();
});

describe('metrics', () => {
  const fromMs = Date.parse('2026-06-09T09:50:00+09:00');
  const query = (id: string, name: string): MetricQuery => ({
    id,
    namespace: 'Test',
    name,
    dimensions: {},
    statistic: 'Sum',
    periodSeconds: 10,
  });
  const client = () => new CloudWatchClient({ ...account, endpoint: world.cloudwatch.url });

  test('pages are read to the end, and more queries than one request takes are split', async () => {
    const names = Array.from({ length: 620 }, (_, at) => `metric${at}`);
    world.cloudwatch.put(
      names.flatMap((name, value) =>
        [0, 10, 20].map((second) => ({
          namespace: 'Test',
          name,
          dimensions: {},
          timestampMs: fromMs + second * 1_000,
          storageResolutionSeconds: 1 as const,
          samples: [{ value, count: 1 }],
        })),
      ),
    );
    const asked = client();
    const source = cloudWatchMetrics(asked, { pagePoints: 400 });
    const answers = await source.read(
      names.map((name, at) => query(`q${at}`, name)),
      fromMs,
      fromMs + 60_000,
    );
    asked.destroy();
    expect(answers.size).toBe(620);
    expect([...answers.values()].filter((points) => points.length !== 3)).toEqual([]);
    expect(answers.get('q619')?.[0]).toEqual({ startMs: fromMs + 20_000, value: 619 });
    // 500 and 120 queries, 1,500 and 360 points, 400 to a page.
    expect(world.cloudwatch.calls('GetMetricData')).toHaveLength(4 + 1);
  });

  test('a series nobody ever wrote is answered, with nothing in it', async () => {
    const asked = client();
    const answers = await cloudWatchMetrics(asked).read(
      [query('never', 'never')],
      fromMs,
      fromMs + 60_000,
    );
    asked.destroy();
    expect(answers.get('never')).toEqual([]);
  });
});

describe('records in Redis', () => {
  const mitigations = { active: [], cacheSeconds: 30, reason: 'none' };

  test('a writer of an older epoch does not speak over a newer one', async () => {
    const records = redisRecords(redis, configuration);
    await records.putMitigations({ ...mitigations, cacheSeconds: 120 }, 7);
    await expect(records.putMitigations(mitigations, 6)).rejects.toThrow(/newer epoch than 6/);
    const stored = mitigationFlags.decode(await redis.get(mitigationFlags.key()));
    expect(stored).toEqual({ active: [], cacheSeconds: 120, epoch: 7 });
  });

  test('every record ends by itself', async () => {
    const records = redisRecords(redis, configuration);
    await records.putMitigations(mitigations, 8);
    await records.putCapacitySet('complex', [], 8);
    const ttl = (key: string) => redis.ttl(key);
    const { flagSeconds } = configuration.mitigations;
    expect(await ttl(mitigationFlags.key())).toBeLessThanOrEqual(flagSeconds);
    expect(await ttl(mitigationFlags.key())).toBeGreaterThan(0);
    expect(await ttl(bedrockCapacitySet.key('complex'))).toBeGreaterThan(0);
  });

  test('signals of all tasks are found; one that cannot be understood is none', async () => {
    const signal = { pool: 'bedrock', utilisationPercent: 92, atMs: 1_000 };
    await redis.set(preScaleSignal.key('task-1'), preScaleSignal.encode(signal));
    await redis.set(preScaleSignal.key('task-2'), 'gibberish');
    expect(await redisRecords(redis, configuration).preScaleSignals()).toEqual([signal]);
  });
});

describe('the state in DynamoDB', () => {
  test('once a newer epoch has claimed it, an older one neither writes nor claims it back', async () => {
    const client = new DynamoDBClient({
      ...account,
      endpoint: world.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    });
    const store = dynamodbState(client, world.environment['AUTOSCALER_TABLE'] ?? '');
    const left = { state: FRESH_STATE, notes: { unsent: [], owner: 'first' } };
    expect(await store.claim(1)).toBeDefined();
    expect(await store.save(left, 1)).toBe(true);
    expect(await store.claim(2)).toEqual(left);

    expect(await store.save({ ...left, notes: { unsent: [], owner: 'zombie' } }, 1)).toBe(false);
    expect(await store.claim(1)).toBeUndefined();
    expect((await store.peek()).notes.owner).toBe('first');
    client.destroy();
  });
});

describe('provisioned throughput', () => {
  test('ours, another environment’s and somebody’s are told apart', async () => {
    const client = new BedrockClient({ ...account, endpoint: world.market.url });
    const modelId = 'anthropic.claude-sonnet-5';
    const buy = (provisionedModelName: string) =>
      client.send(
        new CreateProvisionedModelThroughputCommand({
          provisionedModelName,
          modelId,
          modelUnits: 1,
        }),
      );
    await buy('by-hand');
    await buy('mangaassist-prod-complex-1-demand-1780956041857');
    const market = bedrockThroughputs(client, configuration);
    await market.buy({ alias: 'complex', units: 2, token: 'complex-2-demand-1780956041858' });
    await market.buy({ alias: 'complex', units: 2, token: 'complex-2-demand-1780956041858' });

    const set = (await market.list()).map(({ name, boughtFor }) => ({ name, boughtFor }));
    expect(set.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'by-hand', boughtFor: undefined },
      { name: 'complex-2-demand-1780956041858', boughtFor: 'demand' },
    ]);
    const gone = `arn:aws:bedrock:ap-northeast-1:000000000000:provisioned-model/abcdefghijkl`;
    await expect(market.giveBack(gone)).resolves.toBeUndefined();
    client.destroy();
  });
});
