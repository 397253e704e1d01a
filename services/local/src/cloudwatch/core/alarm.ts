import { evaluateAlarm, evaluationRange } from './alarm-evaluation';
import type { AlarmRule, AlarmState } from './alarm-evaluation';
import { floorTo } from './metric-series';
import { answerQueries } from './metric-query';
import type { MetricQuery } from './metric-query';
import type { MetricStore } from './metric-store';

export interface AlarmDefinition extends AlarmRule {
  readonly name: string;
  readonly description?: string;
  /** The queries the alarm needs; exactly one returns data. */
  readonly queries: readonly MetricQuery[];
  readonly periodMs: number;
  readonly actionsEnabled: boolean;
  readonly actions: Readonly<Record<AlarmState, readonly string[]>>;
}

export interface Alarm {
  readonly definition: AlarmDefinition;
  readonly state: AlarmState;
  readonly reason: string;
  readonly stateChangedAtMs: number;
  readonly configuredAtMs: number;
  /** When actions of the present state were last invoked. */
  readonly actedAtMs: number | undefined;
  /** The newest value seen at the last evaluation. */
  readonly latestValue: number | undefined;
}

/** An action to invoke now, with what its receiver needs to decide. */
export interface AlarmAction {
  readonly actionArn: string;
  readonly alarm: Alarm;
  /** Whether the state has just changed, or persists. */
  readonly occasion: 'transition' | 'reminder';
}

const FAST_EVALUATION_MS = 10_000;
const EVALUATION_MS = 60_000;
const REMINDER_MS = 60_000;

/** Alarms on periods under a minute are judged every ten seconds, others every minute. */
export function evaluationIntervalMs(definition: AlarmDefinition): number {
  return definition.periodMs < EVALUATION_MS ? FAST_EVALUATION_MS : EVALUATION_MS;
}

export function newAlarm(definition: AlarmDefinition, nowMs: number): Alarm {
  return {
    definition,
    state: 'INSUFFICIENT_DATA',
    reason: 'Unchecked: Initial alarm creation',
    stateChangedAtMs: nowMs,
    configuredAtMs: nowMs,
    actedAtMs: undefined,
    latestValue: undefined,
  };
}

export function judgeAlarm(alarm: Alarm, store: MetricStore, nowMs: number): Alarm {
  const points = latestPoints(alarm.definition, store, nowMs);
  const state = evaluateAlarm(alarm.definition, points, alarm.state);
  const latestValue = points.findLast((point) => point !== undefined);
  const judged = { ...alarm, latestValue };
  return state === alarm.state ? judged : changeState(judged, state, reasonFor(points), nowMs);
}

export function changeState(alarm: Alarm, state: AlarmState, reason: string, nowMs: number): Alarm {
  return { ...alarm, state, reason, stateChangedAtMs: nowMs, actedAtMs: undefined };
}

/**
 * The actions to invoke now. Every action is invoked when the state changes; scaling policies are
 * invoked again each minute for as long as it lasts.
 */
export function dueActions(alarm: Alarm, nowMs: number): readonly AlarmAction[] {
  if (!alarm.definition.actionsEnabled) return [];
  const arns = alarm.definition.actions[alarm.state];
  if (alarm.actedAtMs === undefined) {
    return arns.map((actionArn) => ({ actionArn, alarm, occasion: 'transition' }));
  }
  if (nowMs - alarm.actedAtMs < REMINDER_MS) return [];
  return arns
    .filter(isScalingPolicy)
    .map((actionArn) => ({ actionArn, alarm, occasion: 'reminder' }));
}

function isScalingPolicy(arn: string): boolean {
  return arn.split(':')[2] === 'autoscaling';
}

function latestPoints(
  definition: AlarmDefinition,
  store: MetricStore,
  nowMs: number,
): (number | undefined)[] {
  const { periodMs } = definition;
  const endMs = floorTo(nowMs, evaluationIntervalMs(definition));
  const length = evaluationRange(definition);
  const startMs = endMs - length * periodMs;
  const range = { startMs, endMs, alignment: 'start' } as const;
  const [result] = answerQueries(store, definition.queries, range, nowMs);
  const byTime = new Map(result?.points.map(({ atMs, value }) => [atMs, value]));
  return Array.from({ length }, (_, i) => byTime.get(startMs + i * periodMs));
}

function reasonFor(points: readonly (number | undefined)[]): string {
  const shown = points.map((point) => (point === undefined ? 'missing' : String(point)));
  return `Threshold judged on the latest datapoints [${shown.join(', ')}]`;
}
