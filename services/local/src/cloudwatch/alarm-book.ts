import type { Clock } from '../clock/clock';
import { every } from '../clock/clock';
import { changeState, dueActions, evaluationIntervalMs, judgeAlarm } from './core/alarm';
import type { Alarm, AlarmAction } from './core/alarm';
import type { AlarmState } from './core/alarm-evaluation';
import type { MetricStore } from './core/metric-store';

/** Hears every action that alarms invoke at one moment, together. */
export type AlarmActionListener = (actions: readonly AlarmAction[]) => void;

/** The alarms that exist, judged as time passes. */
export interface AlarmBook {
  save(alarm: Alarm): void;
  find(name: string): Alarm | undefined;
  remove(name: string): boolean;
  list(): readonly Alarm[];
  setState(alarm: Alarm, state: AlarmState, reason: string): void;
  onActions(listener: AlarmActionListener): void;
  stop(): void;
}

const TICK_MS = 10_000;

export function alarmBook(store: MetricStore, clock: Clock): AlarmBook {
  const alarms = new Map<string, Alarm>();
  const judgedInMs = new Map<string, number>();
  const listeners: AlarmActionListener[] = [];

  const act = (touched: readonly Alarm[]): void => {
    const nowMs = clock.nowMs();
    const actions = touched.flatMap((alarm) => dueActions(alarm, nowMs));
    for (const alarm of touched) {
      const acted = actions.some(
        (action) => action.alarm.definition.name === alarm.definition.name,
      );
      if (acted) alarms.set(alarm.definition.name, { ...alarm, actedAtMs: nowMs });
    }
    if (actions.length > 0) for (const listener of listeners) listener(actions);
  };

  const isDue = (alarm: Alarm, nowMs: number): boolean => {
    const slot = Math.floor(nowMs / evaluationIntervalMs(alarm.definition));
    const name = alarm.definition.name;
    if (judgedInMs.get(name) === slot) return false;
    judgedInMs.set(name, slot);
    return true;
  };

  const tick = (): void => {
    const nowMs = clock.nowMs();
    const due = [...alarms.values()].filter((alarm) => isDue(alarm, nowMs));
    const judged = due.map((alarm) => judgeAlarm(alarm, store, nowMs));
    for (const alarm of judged) alarms.set(alarm.definition.name, alarm);
    act(judged);
  };

  const stop = every(clock, TICK_MS, tick);

  return {
    save(alarm) {
      alarms.set(alarm.definition.name, alarm);
    },
    find: (name) => alarms.get(name),
    remove: (name) => alarms.delete(name),
    list: () => [...alarms.values()],
    setState(alarm, state, reason) {
      const changed = changeState(alarm, state, reason, clock.nowMs());
      alarms.set(alarm.definition.name, changed);
      act([changed]);
    },
    onActions: (listener) => void listeners.push(listener),
    stop,
  };
}
