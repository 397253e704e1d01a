import type { Clock } from '../clock/clock';
import { AwsError } from '../wire/aws-error';
import { operation } from '../wire/aws-operation';
import type { Operations } from '../wire/aws-operation';
import { pageOf } from '../wire/aws-page';
import type { AlarmBook } from './alarm-book';
import {
  deleteAlarms,
  describeAlarms,
  putMetricAlarm,
  setAlarmState,
  toDefinition,
} from './alarm-input';
import { newAlarm } from './core/alarm';
import type { Alarm } from './core/alarm';
import type { MetricQuery } from './core/metric-query';
import { parseMetricMath } from './core/metric-math-syntax';
import { explained, presentDimensions } from './metric-operations';

/** The calls that make, show, move and delete alarms. */
export function alarmOperations(
  book: AlarmBook,
  clock: Clock,
  arnOf: (name: string) => string,
): Operations {
  return {
    PutMetricAlarm: operation(putMetricAlarm, (input) => {
      const definition = {
        ...toDefinition(input),
        ...(input.AlarmDescription === undefined ? {} : { description: input.AlarmDescription }),
      };
      explained(() => definition.queries.map(assertReadable));
      const known = book.find(definition.name);
      const fresh = newAlarm(definition, clock.nowMs());
      // An update keeps the state until the next evaluation.
      book.save(
        known === undefined
          ? fresh
          : { ...known, definition, configuredAtMs: fresh.configuredAtMs },
      );
    }),

    DescribeAlarms: operation(describeAlarms, (input) => {
      const matching = book
        .list()
        .filter(
          ({ definition, state }) =>
            (input.AlarmNames?.includes(definition.name) ?? true) &&
            definition.name.startsWith(input.AlarmNamePrefix ?? '') &&
            (input.StateValue ?? state) === state &&
            (input.ActionPrefix === undefined ||
              definition.actions.ALARM.some((arn) => arn.startsWith(input.ActionPrefix ?? ''))),
        );
      const page = pageOf(matching, input.MaxRecords, input.NextToken, 'InvalidNextToken');
      return {
        MetricAlarms: page.items.map((alarm) => present(alarm, arnOf)),
        CompositeAlarms: [],
        NextToken: page.nextToken,
      };
    }),

    DeleteAlarms: operation(deleteAlarms, ({ AlarmNames: names }) => {
      const missing = names.filter((name) => book.find(name) === undefined);
      if (missing.length > 0) throw notFound(missing.join(', '));
      for (const name of names) book.remove(name);
    }),

    SetAlarmState: operation(setAlarmState, (input) => {
      const alarm = book.find(input.AlarmName);
      if (alarm === undefined) throw notFound(input.AlarmName);
      book.setState(alarm, input.StateValue, input.StateReason);
    }),
  };
}

function assertReadable({ source }: MetricQuery): void {
  if (source.kind === 'expression') parseMetricMath(source.expression);
}

function notFound(names: string): AwsError {
  return new AwsError('ResourceNotFound', `Unknown alarm: ${names}`, 404);
}

function present(alarm: Alarm, arnOf: (name: string) => string): Record<string, unknown> {
  const { definition } = alarm;
  return {
    AlarmName: definition.name,
    AlarmArn: arnOf(definition.name),
    AlarmDescription: definition.description,
    AlarmConfigurationUpdatedTimestamp: alarm.configuredAtMs / 1_000,
    ActionsEnabled: definition.actionsEnabled,
    OKActions: definition.actions.OK,
    AlarmActions: definition.actions.ALARM,
    InsufficientDataActions: definition.actions.INSUFFICIENT_DATA,
    StateValue: alarm.state,
    StateReason: alarm.reason,
    StateUpdatedTimestamp: alarm.stateChangedAtMs / 1_000,
    StateTransitionedTimestamp: alarm.stateChangedAtMs / 1_000,
    EvaluationPeriods: definition.evaluationPeriods,
    DatapointsToAlarm: definition.datapointsToAlarm,
    Threshold: definition.threshold,
    ComparisonOperator: definition.comparison,
    TreatMissingData: definition.treatMissingData,
    ...presentQueries(definition.queries),
  };
}

function presentQueries(queries: readonly MetricQuery[]): Record<string, unknown> {
  const [only] = queries;
  if (queries.length !== 1 || only?.source.kind !== 'metric') {
    return { Metrics: queries.map(presentQuery) };
  }
  const { metric, statistic, periodMs } = only.source;
  return {
    Namespace: metric.namespace,
    MetricName: metric.name,
    Dimensions: presentDimensions(metric.dimensions),
    [statistic.startsWith('p') ? 'ExtendedStatistic' : 'Statistic']: statistic,
    Period: periodMs / 1_000,
  };
}

function presentQuery({ id, source, label, returnData }: MetricQuery): Record<string, unknown> {
  const named = { Id: id, Label: label, ReturnData: returnData };
  if (source.kind === 'expression') return { ...named, Expression: source.expression };
  return {
    ...named,
    MetricStat: {
      Metric: {
        Namespace: source.metric.namespace,
        MetricName: source.metric.name,
        Dimensions: presentDimensions(source.metric.dimensions),
      },
      Period: source.periodMs / 1_000,
      Stat: source.statistic,
    },
  };
}
