import type { LocalPlatform } from './start-platform';

/** One part of the platform as people look for it. */
export interface Address {
  readonly part: string;
  readonly url: string;
  readonly speaks: string;
}

/** Where everything answers. */
export function addressesOf({ engines, aws, programs }: LocalPlatform): readonly Address[] {
  return [
    {
      part: 'Orchestrators',
      url: programs.chatUrl,
      speaks: "chat sessions, OpenAI's chat completions",
    },
    { part: 'Management API', url: programs.apiUrl, speaks: 'tokens, usage; /openapi.json' },
    { part: 'PostgreSQL', url: engines.databaseUrl, speaks: 'the engine itself' },
    {
      part: 'Redis',
      url: engines.redisUrl ?? 'not running',
      speaks: engines.withoutRedisBecause ?? 'the engine itself',
    },
    { part: 'DynamoDB', url: engines.dynamodbUrl, speaks: 'dynalite' },
    { part: 'Bedrock', url: aws.bedrock.url, speaks: 'Converse, ConverseStream, embeddings' },
    { part: 'SageMaker', url: aws.sagemaker.url, speaks: 'intent classification' },
    { part: 'OpenSearch', url: aws.opensearch.url, speaks: 'the catalogue: text, vector, hybrid' },
    { part: 'CloudWatch', url: aws.cloudwatch.url, speaks: 'metrics, metric math, alarms' },
    { part: 'ECS', url: aws.ecs.url, speaks: 'services whose tasks are processes here' },
    { part: 'Load balancing', url: aws.elasticLoadBalancing.url, speaks: 'target health' },
    {
      part: 'Auto scaling',
      url: aws.applicationAutoScaling.url,
      speaks: 'targets, policies, schedules',
    },
    {
      part: 'Bedrock capacity',
      url: aws.provisionedThroughput.url,
      speaks: 'provisioned throughput',
    },
    { part: 'SNS', url: aws.sns.url, speaks: 'words to people, kept in memory' },
  ];
}
