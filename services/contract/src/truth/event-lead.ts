import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

/** Capacity for an event is there before the event. */
export function eventLead(configuration: PlatformConfiguration): readonly Contradiction[] {
  const { provisioned, orchestrator, calendar } = configuration;
  const needed = Math.max(provisioned.activationSeconds, orchestrator.taskStartSeconds);
  return [...calendar.events, ...calendar.weekly]
    .filter((event) => event.leadSeconds < needed)
    .map((event) =>
      error(
        'event-lead-too-short',
        `The event '${event.name}' is prepared ${event.leadSeconds} s ahead, but provisioned throughput takes ` +
          `${provisioned.activationSeconds} s and a task ${orchestrator.taskStartSeconds} s: it begins without its capacity.`,
        `Set leadSeconds of '${event.name}' to at least ${needed}; three hours (10800) leave room for a second try.`,
      ),
    );
}
