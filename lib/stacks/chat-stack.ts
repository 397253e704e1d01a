import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import { CatalogueLoad } from '../constructs/catalogue-load';
import { DatabaseMigration } from '../constructs/database-migration';
import { InternalBalancer } from '../constructs/internal-balancer';
import { LogBucket } from '../constructs/log-bucket';
import { OrchestratorService } from '../constructs/orchestrator-service';
import type { Bundles } from '../constructs/program-image';
import { ServiceScaling } from '../constructs/service-scaling';
import type { DataStack } from './data-stack';

export interface ChatStackProps extends StackProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly vpc: ec2.IVpc;
  readonly data: DataStack;
  readonly nowMs: number;
}

/** The chat plane: the load balancer, the orchestrator behind it, and what brings the data up to date first. */
export class ChatStack extends Stack {
  readonly cluster: ecs.ICluster;
  readonly front: InternalBalancer;
  readonly orchestrator: OrchestratorService;

  constructor(scope: Construct, id: string, props: ChatStackProps) {
    super(scope, id, props);
    const { environment, bundles, vpc, data, nowMs } = props;
    const { platform } = environment;
    const cluster = new ecs.Cluster(this, 'Cluster', {
      vpc,
      containerInsightsV2: ecs.ContainerInsights.ENABLED,
    });
    this.cluster = cluster;
    this.front = new InternalBalancer(this, 'Front', {
      vpc,
      timeouts: platform.timeouts,
      edgePrefixList: environment.edgePrefixList,
      accessLogs: new LogBucket(this, 'AccessLogs', environment).bucket,
      ...(environment.domain && { certificateArn: environment.domain.originCertificateArn }),
    });
    this.orchestrator = new OrchestratorService(this, 'Orchestrator', {
      environment,
      bundles,
      cluster,
      data,
      listener: this.front.listener,
    });
    new ServiceScaling(this, 'Scaling', {
      service: this.orchestrator.service,
      targets: this.orchestrator.targets,
      platform,
      nowMs,
    });
    this.prepareData({ ...props, cluster });
  }

  /** Schema, then catalogue, then the tasks that rely on both. */
  private prepareData(props: ChatStackProps & { readonly cluster: ecs.ICluster }): void {
    const before = [this.orchestrator.image.fingerprint];
    const { database } = props.data;
    const migration = new DatabaseMigration(this, 'Migration', { ...props, database, before });
    const load = new CatalogueLoad(this, 'CatalogueLoad', { ...props, before });
    load.run.trigger.executeAfter(migration.run.trigger);
    load.run.trigger.executeBefore(this.orchestrator.service);
  }
}
