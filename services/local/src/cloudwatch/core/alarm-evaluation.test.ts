import fc from 'fast-check';

import { evaluateAlarm } from './alarm-evaluation';
import type { AlarmRule, AlarmState, TreatMissingData } from './alarm-evaluation';

const rule: AlarmRule = {
  comparison: 'GreaterThanThreshold',
  threshold: 50,
  evaluationPeriods: 3,
  datapointsToAlarm: 3,
  treatMissingData: 'missing',
};

const TREATMENTS: readonly TreatMissingData[] = ['missing', 'ignore', 'breaching', 'notBreaching'];

const POINTS: Record<string, number | undefined> = { '0': 0, X: 100, '-': undefined };

function judge(pattern: string, datapointsToAlarm: number, current: AlarmState): AlarmState[] {
  const points = pattern.split(' ').map((symbol) => POINTS[symbol]);
  return TREATMENTS.map((treatMissingData) =>
    evaluateAlarm({ ...rule, datapointsToAlarm, treatMissingData }, points, current),
  );
}

// The tables of the CloudWatch user guide: 0 is within the threshold, X breaches it, - is missing.
// "INSUFFICIENT_DATA" under `ignore` means that the current state is retained.
describe('three of three', () => {
  test.each([
    ['0 - X - X', ['OK', 'OK', 'OK', 'OK']],
    ['0 - - - -', ['OK', 'OK', 'OK', 'OK']],
    ['- - - - -', ['INSUFFICIENT_DATA', 'INSUFFICIENT_DATA', 'ALARM', 'OK']],
    ['0 X X - X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['- - X - -', ['ALARM', 'INSUFFICIENT_DATA', 'ALARM', 'OK']],
    ['- - - - X', ['OK', 'INSUFFICIENT_DATA', 'ALARM', 'OK']],
  ])('%s', (pattern, expected) => {
    expect(judge(pattern, 3, 'INSUFFICIENT_DATA')).toEqual(expected);
  });
});

describe('two of three', () => {
  test.each([
    ['0 - X - X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['0 0 X 0 X', ['ALARM', 'ALARM', 'ALARM', 'ALARM']],
    ['0 - X - -', ['OK', 'OK', 'ALARM', 'OK']],
    ['- - - - 0', ['OK', 'OK', 'ALARM', 'OK']],
    ['- - - X -', ['ALARM', 'INSUFFICIENT_DATA', 'ALARM', 'OK']],
  ])('%s', (pattern, expected) => {
    expect(judge(pattern, 2, 'INSUFFICIENT_DATA')).toEqual(expected);
  });
});

test.each([
  ['GreaterThanThreshold', 50, 'OK'],
  ['GreaterThanOrEqualToThreshold', 50, 'ALARM'],
  ['LessThanThreshold', 50, 'OK'],
  ['LessThanOrEqualToThreshold', 50, 'ALARM'],
] as const)('%s of 50: a value of %d is %s', (comparison, value, expected) => {
  expect(evaluateAlarm({ ...rule, comparison }, [value, value, value], 'OK')).toBe(expected);
});

test('treating missing data as breaching never alarms less than treating it as good', () => {
  const points = fc.array(fc.option(fc.constantFrom(0, 100), { nil: undefined }), {
    minLength: 5,
    maxLength: 5,
  });
  fc.assert(
    fc.property(points, fc.integer({ min: 1, max: 3 }), (latest, datapointsToAlarm) => {
      const verdict = (treatMissingData: TreatMissingData): AlarmState =>
        evaluateAlarm({ ...rule, datapointsToAlarm, treatMissingData }, latest, 'OK');
      if (verdict('notBreaching') === 'ALARM') expect(verdict('breaching')).toBe('ALARM');
    }),
  );
});
