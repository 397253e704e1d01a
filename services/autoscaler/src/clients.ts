import { ApplicationAutoScalingClient } from '@aws-sdk/client-application-auto-scaling';
import { BedrockClient } from '@aws-sdk/client-bedrock';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ECSClient } from '@aws-sdk/client-ecs';
import { SNSClient } from '@aws-sdk/client-sns';
import type { Logger } from '@matsuri/telemetry';
import type { Redis } from 'ioredis';
import { bedrockThroughputs } from './adapters/bedrock-throughputs';
import { cloudWatchMetrics } from './adapters/cloudwatch-metrics';
import { dynamodbLease } from './adapters/dynamodb-lease';
import { dynamodbState } from './adapters/dynamodb-state';
import { dynamodbSwitches } from './adapters/dynamodb-switches';
import { ecsService } from './adapters/ecs-service';
import { openRedis } from './adapters/open-redis';
import { NO_RECORDS, redisRecords } from './adapters/redis-records';
import { scalableTarget } from './adapters/scalable-target';
import { snsPager } from './adapters/sns-pager';
import type { Config } from './config';
import type { LeaseTable, Pager, StateStore } from './ports';
import type { Sources } from './reading/read-facts';

/** What the program is connected to. */
export interface Clients {
  readonly sources: Sources;
  readonly store: StateStore;
  readonly leaseTable: LeaseTable;
  readonly pager: Pager;
  close(): void;
}

// A cycle comes every ten seconds: what failed twice is tried again then.
const ATTEMPTS = 2;

/** Makes the clients. None of them has to be reachable yet. */
export function openClients(config: Config, log: Logger): Clients {
  const { platform, region, table, topics } = config;
  const common = { region, maxAttempts: ATTEMPTS };
  const dynamodb = new DynamoDBClient(common);
  const cloudwatch = new CloudWatchClient(common);
  const ecs = new ECSClient(common);
  const scaling = new ApplicationAutoScalingClient(common);
  const bedrock = new BedrockClient(common);
  const sns = new SNSClient(common);
  const redis = redisOf(config, log);
  return {
    sources: {
      metrics: cloudWatchMetrics(cloudwatch),
      service: ecsService(ecs, config),
      target: scalableTarget(scaling, config),
      market: bedrockThroughputs(bedrock, platform),
      records: redis === undefined ? NO_RECORDS : redisRecords(redis, platform),
      switches: dynamodbSwitches(dynamodb, table),
    },
    store: dynamodbState(dynamodb, table),
    leaseTable: dynamodbLease(dynamodb, table),
    pager: snsPager(sns, topics, platform.environment),
    close() {
      for (const client of [dynamodb, cloudwatch, ecs, scaling, bedrock, sns]) client.destroy();
      redis?.disconnect();
    },
  };
}

function redisOf({ redis }: Config, log: Logger): Redis | undefined {
  if (redis === undefined) {
    log.warn('there is no Redis: nobody can be told to mitigate');
    return undefined;
  }
  return openRedis({ ...redis, log });
}
