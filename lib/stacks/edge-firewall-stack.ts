import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

import { WebFirewall } from '../constructs/web-firewall';

export interface EdgeFirewallStackProps extends StackProps {
  /** Lower case; names the firewall's log. */
  readonly name: string;
  readonly logRetentionDays: logs.RetentionDays;
}

/** What CloudFront looks for in us-east-1, wherever everything else is. */
export class EdgeFirewallStack extends Stack {
  readonly firewall: WebFirewall;

  constructor(scope: Construct, id: string, props: EdgeFirewallStackProps) {
    super(scope, id, { ...props, crossRegionReferences: true });
    this.firewall = new WebFirewall(this, 'Firewall', props);
  }
}
