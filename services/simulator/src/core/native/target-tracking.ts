import type { PlatformConfiguration } from '@matsuri/contract';
import { createAlarm } from './alarm';
import { NOTHING, type TrackingPolicy } from './proposal';

export type TargetTracking = PlatformConfiguration['scaling']['targetTracking'][number];

/** The alarms that Application Auto Scaling makes: three minutes above, fifteen well below. */
const PERIOD_SECONDS = 60;
const PERIODS_ABOVE = 3;
const PERIODS_BELOW = 15;
const LOW_MARK = 0.9;

/**
 * Target tracking. What it wants follows from the running tasks and their reading, so tasks on their way are
 * not ordered twice, and within the cooldown only a higher want than before moves it.
 */
export function targetTracking(policy: TargetTracking): TrackingPolicy {
  const { target, scaleInCooldownSeconds } = policy;
  const above = createAlarm({
    periodSeconds: PERIOD_SECONDS,
    periods: PERIODS_ABOVE,
    breaches: (reading) => reading > target,
  });
  const below = createAlarm({
    periodSeconds: PERIOD_SECONDS,
    periods: PERIODS_BELOW,
    breaches: (reading) => reading < target * LOW_MARK,
  });
  let lastInAt = Number.NEGATIVE_INFINITY;
  let lastOutAt = Number.NEGATIVE_INFINITY;

  return {
    agreesToScaleIn: below.isOn,
    moved: (now, direction) => {
      if (direction === 'in') lastInAt = now;
      else lastOutAt = now;
    },
    propose: (now, read, fleet) => {
      const high = above.look(now, read);
      const low = below.look(now, read);
      if (high !== undefined) {
        const wanted = Math.ceil((fleet.running * high) / target);
        return wanted > fleet.desired ? { out: wanted } : NOTHING;
      }
      const cool = now - Math.max(lastInAt, lastOutAt) >= scaleInCooldownSeconds;
      if (low === undefined || !cool) return NOTHING;
      const wanted = Math.ceil((fleet.running * low) / target);
      return wanted < fleet.desired ? { in: wanted } : NOTHING;
    },
  };
}
