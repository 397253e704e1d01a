import type { DashboardPanel, PanelLine, PlatformConfiguration } from '@matsuri/contract';
import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

import { MetricReader } from './metric-reader';
import type { WatchedResources } from './metric-reader';

export interface PanelBoardProps {
  readonly name: string;
  readonly panels: readonly DashboardPanel[];
  readonly platform: PlatformConfiguration;
  readonly resources: WatchedResources;
}

const PERIOD_SECONDS = 60;
const PANEL_WIDTH = 12;
const PER_ROW = 2;

/** A dashboard as the contract lays it out: a panel for each question, two in a row. */
export class PanelBoard extends Construct {
  private readonly reader: MetricReader;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: PanelBoardProps,
  ) {
    super(scope, id);
    this.reader = new MetricReader(props.platform, props.resources);
    const dashboard = new cloudwatch.Dashboard(this, 'Dashboard', { dashboardName: props.name });
    const widgets = props.panels.map((panel) => this.widgetOf(panel));
    for (let first = 0; first < widgets.length; first += PER_ROW) {
      dashboard.addWidgets(...widgets.slice(first, first + PER_ROW));
    }
  }

  private widgetOf(panel: DashboardPanel): cloudwatch.IWidget {
    const ofMoney = panel.lines.some(({ metric }) => metric === 'costRate');
    return new cloudwatch.GraphWidget({
      title: `${panel.title} (${panel.purpose})`,
      start: `-PT${panel.windowHours}H`,
      end: 'PT0H',
      width: PANEL_WIDTH,
      left: [
        ...panel.lines.flatMap((line) => this.linesOf(line)),
        ...(ofMoney ? [this.settled()] : []),
      ],
      ...(ofMoney && {
        leftAnnotations: [
          { label: 'ceiling', value: this.props.platform.spend.maxModelDollarsPerHour },
        ],
      }),
    });
  }

  private linesOf({ metric, statistic, per }: PanelLine): readonly cloudwatch.IMetric[] {
    if (per === undefined) return [this.reader.whole(metric, statistic, PERIOD_SECONDS)];
    return this.reader.series(metric, { statistic, periodSeconds: PERIOD_SECONDS });
  }

  /** What the gateway charged for its calls, those that units carried included; beside it, AWS's own counts. */
  private settled(): cloudwatch.IMetric {
    return new cloudwatch.MathExpression({
      expression: `settled * ${3_600 / PERIOD_SECONDS}`,
      label: 'charged for calls, by what was settled',
      usingMetrics: { settled: this.reader.whole('spendDollars', 'Sum', PERIOD_SECONDS) },
      period: Duration.seconds(PERIOD_SECONDS),
    });
  }
}
