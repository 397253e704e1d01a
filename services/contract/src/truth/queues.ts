import type { PlatformConfiguration } from '../configuration/platform';
import { QUEUES } from '../names/queues';
import { error, type Contradiction } from './contradiction';

/** Lambda's own advice: a message stays hidden through throttled retries of its batch. */
const VISIBILITY_FACTOR = 6;
/** Lambda's own advice: fewer, and throttling alone sends good messages to the dead letters. */
const MINIMUM_RECEIVES = 5;

const FED_BY_QUEUE = ['workerControl', 'orderTasks'] as const;
const WITH_DEAD_LETTERS = ['workerControl', 'orderTasks', 'stageTasks', 'stageResults'] as const;

/** A message stays hidden for six times its function's timeout. */
export function queueVisibility(configuration: PlatformConfiguration): readonly Contradiction[] {
  return FED_BY_QUEUE.flatMap((key) => {
    const visible = configuration.queues[key].visibilitySeconds;
    const timeout = configuration.functions[key].timeoutSeconds;
    const needed = VISIBILITY_FACTOR * timeout;
    if (visible >= needed) return [];
    return [
      error(
        'queue-visibility',
        `${QUEUES[key]} hides a message for ${visible} s, but its function may run ${timeout} s and needs ` +
          `${VISIBILITY_FACTOR} × ${timeout} = ${needed} s: a message still being worked on is delivered again.`,
        `Set queues.${key}.visibilitySeconds to at least ${needed}, or functions.${key}.timeoutSeconds to at most ` +
          `${Math.floor(visible / VISIBILITY_FACTOR)}.`,
      ),
    ];
  });
}

/** A message is tried five times before it is called dead. */
export function queueReceives(configuration: PlatformConfiguration): readonly Contradiction[] {
  return WITH_DEAD_LETTERS.flatMap((key) => {
    const { maxReceives } = configuration.queues[key].deadLetters;
    if (maxReceives >= MINIMUM_RECEIVES) return [];
    return [
      error(
        'queue-max-receives',
        `${QUEUES[key]} gives a message up after ${maxReceives} receives; throttling uses receives up too, so fewer ` +
          `than ${MINIMUM_RECEIVES} turns healthy messages into dead letters.`,
        `Set queues.${key}.deadLetters.maxReceives to at least ${MINIMUM_RECEIVES}.`,
      ),
    ];
  });
}

/** A dead letter keeps its age: it must outlive the queue it came from. */
export function queueRetention(configuration: PlatformConfiguration): readonly Contradiction[] {
  return WITH_DEAD_LETTERS.flatMap((key) => {
    const { retentionSeconds, deadLetters } = configuration.queues[key];
    if (deadLetters.retentionSeconds > retentionSeconds) return [];
    return [
      error(
        'dead-letter-retention',
        `Dead letters of ${QUEUES[key]} are kept ${deadLetters.retentionSeconds} s, the queue itself keeps messages ` +
          `${retentionSeconds} s: a message moved late is deleted at once and nobody sees it.`,
        `Set queues.${key}.deadLetters.retentionSeconds above ${retentionSeconds}.`,
      ),
    ];
  });
}
