import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import { ChatDistribution } from '../constructs/chat-distribution';
import { ConsoleSite } from '../constructs/console-site';
import { LogBucket } from '../constructs/log-bucket';
import type { Bundles } from '../constructs/program-image';

export interface EdgeStackProps extends StackProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly balancer: elb.IApplicationLoadBalancer;
  readonly firewallArn: string;
}

/** What the world sees: one name for the console, the chat and the API. */
export class EdgeStack extends Stack {
  /** Where the platform answers. */
  readonly url: CfnOutput;

  constructor(scope: Construct, id: string, props: EdgeStackProps) {
    super(scope, id, { ...props, crossRegionReferences: true });
    const { environment, bundles } = props;
    const { domain } = environment;
    const accessLogs = new LogBucket(this, 'AccessLogs', {
      logRetentionDays: environment.logRetentionDays,
      keepsData: environment.keepsData,
      fromCloudFront: true,
    }).bucket;
    const { distribution } = new ChatDistribution(this, 'Chat', {
      ...props,
      console: new ConsoleSite(this, 'Console', { bundles, accessLogs }).bucket,
      accessLogs,
      timeouts: environment.platform.timeouts,
      ...(domain && { domain }),
    });
    this.url = new CfnOutput(this, 'Url', {
      value: `https://${domain?.name ?? distribution.distributionDomainName}`,
      description: 'Where the platform answers',
    });
    new CfnOutput(this, 'EdgeName', {
      value: distribution.distributionDomainName,
      description: 'What the domain must point to',
    });
  }
}
