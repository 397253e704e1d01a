import { ALERT_TOPICS } from '@matsuri/contract';
import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as ecs from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import { AlertTopic, alertKey } from '../constructs/alert-topic';
import { AutoscalerService } from '../constructs/autoscaler-service';
import type { Bundles } from '../constructs/program-image';
import { PurchaseRelease } from '../constructs/purchase-release';
import type { DataStack } from './data-stack';

export interface CapacityStackProps extends StackProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly cluster: ecs.ICluster;
  /** Whose floor the autoscaler moves. */
  readonly chat: ecs.FargateService;
  readonly data: DataStack;
}

/** The capacity plane: the autoscaler, and the topics through which it and every alarm call people. */
export class CapacityStack extends Stack {
  /** Wakes a person. */
  readonly page: AlertTopic;
  /** Is read in the morning. */
  readonly ticket: AlertTopic;

  constructor(scope: Construct, id: string, props: CapacityStackProps) {
    super(scope, id, props);
    const { environment } = props;
    const { platform, name } = environment;
    const encryptionKey = alertKey(this, 'AlertKey');
    const called = (topic: string): string => `${platform.product.name}-${name}-${topic}`;
    this.page = new AlertTopic(this, 'Page', {
      name: called(ALERT_TOPICS.page),
      emails: environment.pageEmails,
      encryptionKey,
    });
    this.ticket = new AlertTopic(this, 'Ticket', {
      name: called(ALERT_TOPICS.ticket),
      emails: environment.ticketEmails,
      encryptionKey,
    });
    const autoscaler = new AutoscalerService(this, 'Autoscaler', {
      ...props,
      page: this.page,
      ticket: this.ticket,
    });
    // Deleted after it, or a living autoscaler would buy again what is given back.
    autoscaler.node.addDependency(new PurchaseRelease(this, 'Purchases', { platform }));
  }
}
