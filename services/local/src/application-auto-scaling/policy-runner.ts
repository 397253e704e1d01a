import type { Clock } from '../clock/clock';
import type { AlarmBook } from '../cloudwatch/alarm-book';
import type { AlarmAction } from '../cloudwatch/core/alarm';
import { newAlarm } from '../cloudwatch/core/alarm';
import { capacityAsked, remembered } from './core/scaling-decision';
import { trackingAlarms } from './scaling-policy';
import type { ScalingPolicy } from './scaling-policy';
import type { ScalableTarget } from './scalable-target';
import type { TargetBook } from './target-book';

/** Scaling policies, acting when alarms call them. */
export interface PolicyRunner {
  find(resourceId: string, name: string): ScalingPolicy | undefined;
  list(): readonly ScalingPolicy[];
  /** Keeps a policy and, for target tracking, its alarms. */
  save(policy: ScalingPolicy): void;
  remove(policy: ScalingPolicy): void;
}

interface Call {
  readonly policy: ScalingPolicy;
  readonly action: AlarmAction;
}

interface Wish extends Call {
  readonly to: number;
}

export function policyRunner(targets: TargetBook, alarms: AlarmBook, clock: Clock): PolicyRunner {
  const policies = new Map<string, ScalingPolicy>();

  const readyToScaleIn = (policy: ScalingPolicy): boolean =>
    [...policies.values()]
      .filter(({ resourceId, rule }) => resourceId === policy.resourceId && rule.kind !== 'step')
      .filter(({ disableScaleIn }) => !disableScaleIn)
      .every(({ alarmNames }) => alarms.find(alarmNames?.low ?? '')?.state === 'ALARM');

  const wishOf = (call: Call, target: ScalableTarget, capacity: number): Wish => {
    const { policy, action } = call;
    const { latestValue, definition } = action.alarm;
    const signal = { metricValue: latestValue ?? NaN, threshold: definition.threshold };
    const asked = Number.isNaN(signal.metricValue)
      ? capacity
      : capacityAsked(policy.rule, policy.memory, signal, capacity, target, clock.nowMs());
    const tracks = policy.rule.kind === 'target-tracking';
    const refused =
      (asked > capacity && target.suspended.dynamicOut) ||
      (asked < capacity && target.suspended.dynamicIn) ||
      (asked < capacity && tracks && (policy.disableScaleIn || !readyToScaleIn(policy)));
    return { ...call, to: refused ? capacity : asked };
  };

  /** Several policies at once: the largest capacity is taken, for scaling out and for scaling in. */
  const actOn = (target: ScalableTarget, calls: readonly Call[]): void => {
    const capacity = targets.capacityOf(target.resourceId);
    if (capacity === undefined) return;
    const wishes = calls.map((call) => wishOf(call, target, capacity));
    const largest = wishes.toSorted((a, b) => b.to - a.to)[0];
    if (largest === undefined || largest.to === capacity) return;
    const { policy, action, to } = largest;
    const memory = remembered(policy.memory, { from: capacity, to }, policy.rule, clock.nowMs());
    policies.set(policy.arn, { ...policy, memory });
    const alarmName = action.alarm.definition.name;
    const cause = `monitor alarm ${alarmName} in state ALARM triggered policy ${policy.name}`;
    targets.setCapacity(target.resourceId, to, cause);
  };

  alarms.onActions((actions) => {
    const calls = actions.flatMap((action) => {
      const policy = policies.get(action.actionArn);
      return policy === undefined || action.alarm.state !== 'ALARM' ? [] : [{ policy, action }];
    });
    for (const target of targets.list()) {
      const own = calls.filter(({ policy }) => policy.resourceId === target.resourceId);
      if (own.length > 0) actOn(target, own);
    }
  });

  return {
    find: (resourceId, name) =>
      [...policies.values()].find(
        (policy) => policy.resourceId === resourceId && policy.name === name,
      ),
    list: () => [...policies.values()],
    save(policy) {
      policies.set(policy.arn, policy);
      for (const definition of trackingAlarms(policy)) {
        const known = alarms.find(definition.name);
        const fresh = newAlarm(definition, clock.nowMs());
        alarms.save(known === undefined ? fresh : { ...known, definition });
      }
    },
    remove(policy) {
      policies.delete(policy.arn);
      for (const { name } of trackingAlarms(policy)) alarms.remove(name);
    },
  };
}
