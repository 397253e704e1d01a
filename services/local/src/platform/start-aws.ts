import { ALERT_TOPICS } from '@matsuri/contract';
import type { PlatformConfiguration } from '@matsuri/contract';
import { parseEmf } from '@matsuri/telemetry';

import { startApplicationAutoScalingStandIn } from '../application-auto-scaling/start-application-auto-scaling';
import type { ApplicationAutoScalingStandIn } from '../application-auto-scaling/start-application-auto-scaling';
import { startBedrockStandIn } from '../bedrock/stand-in';
import type { BedrockStandIn } from '../bedrock/stand-in';
import { startCloudWatchStandIn } from '../cloudwatch/start-cloudwatch';
import type { CloudWatchStandIn } from '../cloudwatch/start-cloudwatch';
import { startEcsStandIn } from '../ecs/start-ecs';
import type { EcsStandIn } from '../ecs/start-ecs';
import { startElasticLoadBalancingStandIn } from '../elastic-load-balancing/start-elastic-load-balancing';
import type { ElasticLoadBalancingStandIn } from '../elastic-load-balancing/start-elastic-load-balancing';
import type { LogSink } from '../log-driver/log-driver';
import { startOpenSearchStandIn } from '../opensearch/opensearch-stand-in';
import type { OpenSearchStandIn } from '../opensearch/opensearch-stand-in';
import { startProvisionedThroughputStandIn } from '../provisioned-throughput/start-provisioned-throughput';
import type { ProvisionedThroughputStandIn } from '../provisioned-throughput/start-provisioned-throughput';
import { startSageMakerStandIn } from '../sagemaker/sagemaker-stand-in';
import type { SageMakerStandIn } from '../sagemaker/sagemaker-stand-in';
import { startSnsStandIn } from '../sns/start-sns';
import type { SnsStandIn } from '../sns/start-sns';
import { bedrockMetrics } from './bedrock-metrics';
import { offeredModels } from './offered-models';

/** Every AWS service the platform calls, on loopback and connected with each other. */
export interface LocalAws {
  readonly bedrock: BedrockStandIn;
  readonly sagemaker: SageMakerStandIn;
  readonly opensearch: OpenSearchStandIn;
  readonly cloudwatch: CloudWatchStandIn;
  readonly elasticLoadBalancing: ElasticLoadBalancingStandIn;
  readonly ecs: EcsStandIn;
  readonly applicationAutoScaling: ApplicationAutoScalingStandIn;
  readonly provisionedThroughput: ProvisionedThroughputStandIn;
  readonly sns: SnsStandIn;
  /** The variables by which the AWS SDK finds them. */
  readonly endpoints: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts them all; `log` hears what the tasks of ECS write. */
export async function startAws(
  configuration: PlatformConfiguration,
  log: LogSink,
): Promise<LocalAws> {
  const { region } = configuration;
  const cloudwatch = await startCloudWatchStandIn({ parseEmf, region });
  const publish: CloudWatchStandIn['put'] = (data) => cloudwatch.put(data);
  const [bedrock, sagemaker, opensearch, elasticLoadBalancing, provisionedThroughput, sns] =
    await Promise.all([
      startBedrockStandIn({
        models: offeredModels(configuration.models),
        onInvocation: (event) => publish(bedrockMetrics(event)),
      }),
      startSageMakerStandIn(),
      startOpenSearchStandIn({ kind: 'vector-collection' }),
      startElasticLoadBalancingStandIn({ publish, region }),
      startProvisionedThroughputStandIn({ region }),
      startSnsStandIn({ region, topics: Object.values(ALERT_TOPICS) }),
    ]);
  const ecs = await startEcsStandIn({
    region,
    log,
    publish,
    ingestEmf: (line) => cloudwatch.ingestEmf(line),
    delays: { provisionMs: 0, pullMs: 0 },
    targetGroup: (arn) => elasticLoadBalancing.targetGroup(arn),
  });
  const applicationAutoScaling = await startApplicationAutoScalingStandIn({
    region,
    services: ecs.scalable,
    alarms: cloudwatch.alarms,
  });
  const parts = {
    bedrock,
    sagemaker,
    opensearch,
    cloudwatch,
    elasticLoadBalancing,
    ecs,
    applicationAutoScaling,
    provisionedThroughput,
    sns,
  };
  return {
    ...parts,
    endpoints: {
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
      AWS_ENDPOINT_URL_BEDROCK: provisionedThroughput.url,
      AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: sagemaker.url,
      AWS_ENDPOINT_URL_CLOUDWATCH: cloudwatch.url,
      AWS_ENDPOINT_URL_ELASTIC_LOAD_BALANCING_V2: elasticLoadBalancing.url,
      AWS_ENDPOINT_URL_ECS: ecs.url,
      AWS_ENDPOINT_URL_SNS: sns.url,
      AWS_ENDPOINT_URL_APPLICATION_AUTO_SCALING: applicationAutoScaling.url,
    },
    async close() {
      // Tasks first: they still talk to everything else while they drain.
      const { ecs: tasks, ...others } = parts;
      await tasks.close();
      await Promise.all(Object.values(others).map((part) => part.close()));
    },
  };
}
