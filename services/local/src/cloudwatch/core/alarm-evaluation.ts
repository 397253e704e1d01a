export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

export type TreatMissingData = 'missing' | 'ignore' | 'breaching' | 'notBreaching';

type ComparisonOperator =
  | 'GreaterThanThreshold'
  | 'GreaterThanOrEqualToThreshold'
  | 'LessThanThreshold'
  | 'LessThanOrEqualToThreshold';

export interface AlarmRule {
  readonly comparison: ComparisonOperator;
  readonly threshold: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly treatMissingData: TreatMissingData;
}

// CloudWatch looks further back than it must, so that late data does not count as missing.
const EXTRA_PERIODS = 2;

/** How many periods an evaluation looks at. */
export function evaluationRange(rule: Pick<AlarmRule, 'evaluationPeriods'>): number {
  return rule.evaluationPeriods + EXTRA_PERIODS;
}

/**
 * The state an alarm takes from its latest points, newest last, undefined where data is missing.
 *
 * Enough real points: only the newest of them count, whatever was missing between.
 * Too few: the gap is filled as `treatMissingData` says; "missing" and "ignore" fill nothing, but
 * alarm when all that is known breaches and the first breach is as old as the points needed.
 */
export function evaluateAlarm(
  rule: AlarmRule,
  points: readonly (number | undefined)[],
  current: AlarmState,
): AlarmState {
  const real = points.filter((point) => point !== undefined);
  if (real.length === 0) return whenNothingIsKnown(rule.treatMissingData, current);
  const judged = real.slice(-rule.evaluationPeriods);
  const breaching = judged.filter((point) => breaches(rule, point)).length;
  if (breaching >= rule.datapointsToAlarm) return 'ALARM';

  const absent = rule.evaluationPeriods - judged.length;
  const onlyBreaches = absent > 0 && breaching === judged.length;
  switch (rule.treatMissingData) {
    case 'breaching':
      return breaching + absent >= rule.datapointsToAlarm ? 'ALARM' : 'OK';
    case 'notBreaching':
      return 'OK';
    case 'ignore':
      return onlyBreaches ? current : 'OK';
    case 'missing':
      return onlyBreaches && oldestAge(points) >= rule.datapointsToAlarm ? 'ALARM' : 'OK';
  }
}

function breaches(rule: AlarmRule, value: number): boolean {
  switch (rule.comparison) {
    case 'GreaterThanThreshold':
      return value > rule.threshold;
    case 'GreaterThanOrEqualToThreshold':
      return value >= rule.threshold;
    case 'LessThanThreshold':
      return value < rule.threshold;
    case 'LessThanOrEqualToThreshold':
      return value <= rule.threshold;
  }
}

function whenNothingIsKnown(treat: TreatMissingData, current: AlarmState): AlarmState {
  switch (treat) {
    case 'missing':
      return 'INSUFFICIENT_DATA';
    case 'ignore':
      return current;
    case 'breaching':
      return 'ALARM';
    case 'notBreaching':
      return 'OK';
  }
}

function oldestAge(points: readonly (number | undefined)[]): number {
  return points.length - points.findIndex((point) => point !== undefined);
}
