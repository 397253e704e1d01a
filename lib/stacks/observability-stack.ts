import { CAPACITY_DASHBOARD, ORCHESTRATOR_DASHBOARD } from '@matsuri/contract';
import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import { AlarmBoard } from '../constructs/alarm-board';
import type { WatchedResources } from '../constructs/metric-reader';
import { PanelBoard } from '../constructs/panel-board';

export interface ObservabilityStackProps extends StackProps {
  readonly environment: Environment;
  readonly resources: WatchedResources;
  readonly page: sns.ITopic;
  readonly ticket: sns.ITopic;
}

/** What people see: two dashboards, and an alarm for everything that can hurt a user. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: ObservabilityStackProps) {
    super(scope, id, props);
    const { environment, resources } = props;
    const { platform, runbooksUrl } = environment;
    const alarms = new AlarmBoard(this, 'Alarms', { ...props, platform, runbooksUrl });
    alarms.watch('chat');
    alarms.watch('gateway');
    alarms.watch('capacity');
    const called = (board: string): string =>
      `${platform.product.name}-${environment.name}-${board}`;
    new PanelBoard(this, 'Capacity', {
      name: called('capacity'),
      panels: CAPACITY_DASHBOARD,
      platform,
      resources,
    });
    new PanelBoard(this, 'Orchestrator', {
      name: called('orchestrator'),
      panels: ORCHESTRATOR_DASHBOARD,
      platform,
      resources,
    });
  }
}
