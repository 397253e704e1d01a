import type { PlatformConfiguration } from '@matsuri/contract';
import { createAlarm, type Alarm } from './alarm';
import { NOTHING, type NativePolicy } from './proposal';

export type StepPolicy = PlatformConfiguration['scaling']['steps'][number];
type AlarmedSteps = StepPolicy['scaleOut'];

/**
 * Step scaling on alarms of one's own. While an alarm stays on its steps are taken again after each cooldown;
 * within the cooldown of a scale-out a higher step adds only what it is higher.
 */
export function stepScaling(policy: StepPolicy): NativePolicy {
  const { scaleIn } = policy;
  const out = { alarm: alarmOf(policy.scaleOut, 'above'), steps: policy.scaleOut };
  const back = scaleIn && { alarm: alarmOf(scaleIn, 'below'), steps: scaleIn };
  let addedAt = Number.NEGATIVE_INFINITY;
  let added = 0;
  let lastInAt = Number.NEGATIVE_INFINITY;

  return {
    moved: (now, direction) => {
      if (direction === 'in') lastInAt = now;
    },
    propose: (now, read, fleet) => {
      const high = out.alarm.look(now, read);
      const low = back?.alarm.look(now, read);
      if (high !== undefined) {
        const step = stepAt(out.steps, high);
        const cooling = now - addedAt < out.steps.cooldownSeconds;
        const more = cooling ? step - added : step;
        if (more <= 0) return NOTHING;
        addedAt = cooling ? addedAt : now;
        added = step;
        return { out: fleet.desired + more };
      }
      if (low === undefined || back === undefined) return NOTHING;
      if (now - lastInAt < back.steps.cooldownSeconds) return NOTHING;
      return { in: fleet.desired + stepAt(back.steps, low) };
    },
  };
}

function alarmOf(steps: AlarmedSteps, side: 'above' | 'below'): Alarm {
  const { threshold, inclusive, forSeconds, periodSeconds } = steps;
  return createAlarm({
    periodSeconds,
    periods: Math.max(1, Math.ceil(forSeconds / periodSeconds)),
    breaches: (reading) =>
      (inclusive && reading === threshold) ||
      (side === 'above' ? reading > threshold : reading < threshold),
  });
}

/** Tasks that the step around a reading adds or takes. */
function stepAt({ steps }: AlarmedSteps, reading: number): number {
  const around = steps.find(
    (step) => reading >= step.from && reading < (step.to ?? Number.POSITIVE_INFINITY),
  );
  return around?.addTasks ?? 0;
}
