import { ALARMS, ALARMS_BY_PLANE, alarmName } from '@matsuri/contract';
import type { AlarmDefinition, AlarmKey, PlatformConfiguration } from '@matsuri/contract';
import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

import { MetricReader } from './metric-reader';
import type { WatchedResources } from './metric-reader';

export interface AlarmBoardProps {
  readonly platform: PlatformConfiguration;
  readonly resources: WatchedResources;
  readonly page: sns.ITopic;
  readonly ticket: sns.ITopic;
  /** Where the runbooks are read. */
  readonly runbooksUrl: string;
}

type Plane = keyof typeof ALARMS_BY_PLANE;

const OPERATORS = {
  '>': cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
  '>=': cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  '<': cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
} as const;

const MISSING = {
  breaching: cloudwatch.TreatMissingData.BREACHING,
  notBreaching: cloudwatch.TreatMissingData.NOT_BREACHING,
  ignore: cloudwatch.TreatMissingData.IGNORE,
} as const;

/** The one door through which alarms come: each says who suffers and what to read, and each plane pages once. */
export class AlarmBoard extends Construct {
  private readonly reader: MetricReader;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: AlarmBoardProps,
  ) {
    super(scope, id);
    this.reader = new MetricReader(props.platform, props.resources);
  }

  /** Every alarm of a plane. Those that page do so together: ten alarms of one outage wake a person once. */
  watch(plane: Plane): void {
    const paging: cloudwatch.Alarm[] = [];
    for (const key of alarmsOf(plane)) {
      const alarm = this.createAlarm(plane, key);
      if (ALARMS[key].reaction === 'page') paging.push(alarm);
      else alarm.addAlarmAction(new SnsAction(this.props.ticket));
    }
    const together = new cloudwatch.CompositeAlarm(this, `${plane}-page`, {
      compositeAlarmName: `${this.props.platform.environment}-page-${plane}`,
      alarmDescription: `Something of the ${plane} plane needs a person now. Which, and what to do: ${this.runbook(plane)}`,
      alarmRule: cloudwatch.AlarmRule.anyOf(
        ...paging.map((alarm) =>
          cloudwatch.AlarmRule.fromAlarm(alarm, cloudwatch.AlarmState.ALARM),
        ),
      ),
    });
    together.addAlarmAction(new SnsAction(this.props.page));
    together.addOkAction(new SnsAction(this.props.page));
  }

  private createAlarm(plane: Plane, key: AlarmKey): cloudwatch.Alarm {
    const definition: AlarmDefinition = ALARMS[key];
    const { metric, threshold } = this.reading(definition);
    return new cloudwatch.Alarm(this, key, {
      alarmName: alarmName(this.props.platform.environment, key),
      alarmDescription: `Impact: ${definition.impact}. Ought to be: ${definition.target}. Runbook: ${this.runbook(plane)}#${key.toLowerCase()}`,
      metric,
      threshold,
      comparisonOperator: OPERATORS[definition.comparison],
      evaluationPeriods: definition.forSeconds / definition.periodSeconds,
      treatMissingData: MISSING[definition.missingData],
    });
  }

  private runbook(plane: Plane): string {
    return `${this.props.runbooksUrl}/${plane}.md`;
  }

  /** What is held against which figure; a share becomes a percentage. */
  private reading({ watches, statistic, periodSeconds, threshold }: AlarmDefinition) {
    const { platform } = this.props;
    const metric = this.reader.whole(watches.metric, statistic, periodSeconds);
    switch (threshold.kind) {
      case 'fixed':
        return { metric, threshold: threshold.value };
      case 'percent-of-max-tasks':
        return { metric, threshold: (threshold.percent / 100) * platform.scaling.maxTasks };
      case 'percent-of-session-capacity':
        return {
          metric: this.percentOf(metric, this.sessionCapacity(watches.metric, periodSeconds)),
          threshold: threshold.percent,
        };
      case 'percent-of-metric':
        return {
          metric: this.percentOf(metric, {
            whole: this.reader.whole(threshold.metric, statistic, periodSeconds),
            times: 1,
          }),
          threshold: threshold.percent,
        };
      case 'times-baseline':
        return { metric, threshold: threshold.factor * platform.jobs.processingBaselineMs };
    }
  }

  /** Every task publishes one reading a period, so the readings counted are the tasks that run. */
  private sessionCapacity(key: AlarmDefinition['watches']['metric'], periodSeconds: number) {
    const [tasks] = this.reader.series(key, {
      statistic: cloudwatch.Stats.SAMPLE_COUNT,
      periodSeconds,
    });
    if (tasks === undefined) throw new Error(`${key} has no series`);
    return { whole: tasks, times: this.props.platform.orchestrator.sessionsPerTask };
  }

  private percentOf(
    part: cloudwatch.IMetric,
    of: { readonly whole: cloudwatch.IMetric; readonly times: number },
  ): cloudwatch.MathExpression {
    return new cloudwatch.MathExpression({
      expression: `100 * part / (whole * ${of.times})`,
      usingMetrics: { part, whole: of.whole },
      period: periodOf(part),
      label: 'Percent',
    });
  }
}

function alarmsOf(plane: Plane): readonly AlarmKey[] {
  const names = Object.keys(ALARMS_BY_PLANE[plane]);
  return names.filter((name): name is AlarmKey => Object.hasOwn(ALARMS, name));
}

function periodOf(metric: cloudwatch.IMetric): Duration {
  const { metricStat, mathExpression } = metric.toMetricConfig();
  return metricStat?.period ?? Duration.seconds(mathExpression?.period ?? 60);
}
