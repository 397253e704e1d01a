import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

type StepPolicy = PlatformConfiguration['scaling']['steps'][number];
type AlarmedSteps = StepPolicy['scaleOut'];

const HIGH_RESOLUTION_PERIODS = [10, 20, 30];

/** Steps have no gaps or overlaps, alarms have periods CloudWatch knows, and no step is larger than the range. */
export function stepPolicies(configuration: PlatformConfiguration): readonly Contradiction[] {
  const { steps, minTasks, maxTasks } = configuration.scaling;
  return steps.flatMap((policy) => [
    ...bounds(policy),
    ...periods(policy.name, policy.scaleOut),
    ...(policy.scaleIn === undefined ? [] : periods(policy.name, policy.scaleIn)),
    ...hysteresis(policy),
    ...withinRange(policy, maxTasks - minTasks),
  ]);
}

function bounds({ name, scaleOut }: StepPolicy): Contradiction[] {
  const { steps, threshold } = scaleOut;
  const broken = steps.find((step, index) => {
    const expected = index === 0 ? threshold : steps[index - 1]?.to;
    return step.from !== expected || (step.to !== undefined && step.to <= step.from);
  });
  const open = steps.at(-1)?.to === undefined;
  if (broken === undefined && open) return [];
  const where =
    broken === undefined ? 'has no last step without an upper bound' : `breaks at ${broken.from}`;
  return [
    error(
      'step-bounds',
      `The steps of '${name}' must follow each other without gap or overlap from the threshold ${threshold} up; the row ` +
        `${where}: Application Auto Scaling refuses it or does nothing in the gap.`,
      `Let the first step of '${name}' begin at ${threshold}, each next one where the one before ends, and the last have ` +
        'no upper bound.',
    ),
  ];
}

function periods(name: string, { periodSeconds, forSeconds }: AlarmedSteps): Contradiction[] {
  const known = HIGH_RESOLUTION_PERIODS.includes(periodSeconds) || periodSeconds % 60 === 0;
  if (known && forSeconds % periodSeconds === 0) return [];
  return [
    error(
      'alarm-period',
      `'${name}' watches ${forSeconds} s in periods of ${periodSeconds} s; CloudWatch takes periods of 10, 20, 30 or a ` +
        'multiple of 60 s, a whole number of times.',
      `Set periodSeconds of '${name}' to 10, 20, 30 or a multiple of 60 that divides forSeconds.`,
    ),
  ];
}

function hysteresis({ name, scaleOut, scaleIn }: StepPolicy): Contradiction[] {
  if (scaleIn === undefined || scaleIn.threshold < scaleOut.threshold) return [];
  return [
    error(
      'policy-oscillates',
      `'${name}' scales in below ${scaleIn.threshold} and out above ${scaleOut.threshold}: between the two it does both in ` +
        'turn.',
      `Set the scale-in threshold of '${name}' well below ${scaleOut.threshold}.`,
    ),
  ];
}

function withinRange({ name, scaleOut }: StepPolicy, range: number): Contradiction[] {
  const largest = Math.max(...scaleOut.steps.map((step) => step.addTasks));
  if (largest <= range) return [];
  return [
    error(
      'step-over-range',
      `'${name}' adds ${largest} tasks at once, but the service only has ${range} between its minimum and its maximum.`,
      `Raise scaling.maxTasks by at least ${largest - range}, or lower the step of '${name}'.`,
    ),
  ];
}
