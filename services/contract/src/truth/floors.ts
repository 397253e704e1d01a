import type { PlatformConfiguration } from '../configuration/platform';
import { error, warning, type Contradiction } from './contradiction';

/** Minimum, schedule and events ask for task counts that the limits allow. */
export function floors(configuration: PlatformConfiguration): readonly Contradiction[] {
  return [
    ...limits(configuration),
    ...oneTaskOnly(configuration),
    ...scheduleFloors(configuration),
    ...eventFloors(configuration),
  ];
}

function limits({ scaling }: PlatformConfiguration): Contradiction[] {
  if (scaling.minTasks <= scaling.maxTasks) return [];
  return [
    error(
      'task-limits',
      `scaling.minTasks (${scaling.minTasks}) is above scaling.maxTasks (${scaling.maxTasks}).`,
      'Raise scaling.maxTasks or lower scaling.minTasks.',
    ),
  ];
}

function oneTaskOnly({ scaling, api }: PlatformConfiguration): Contradiction[] {
  return [
    { path: 'scaling.minTasks', tasks: scaling.minTasks },
    { path: 'api.minTasks', tasks: api.minTasks },
  ]
    .filter(({ tasks }) => tasks < 2)
    .map(({ path, tasks }) =>
      warning(
        'single-task',
        `${path} is ${tasks}: when that task or its zone fails, nobody is served until another one has started.`,
        `Set ${path} to at least 2; fewer is for environments nobody depends on.`,
      ),
    );
}

function scheduleFloors({ scaling }: PlatformConfiguration): Contradiction[] {
  const { minTasks, maxTasks } = scaling;
  return scaling.schedule
    .filter((floor) => floor.minTasks < minTasks || floor.minTasks > maxTasks)
    .map((floor) =>
      error(
        'schedule-outside-limits',
        `The scheduled action '${floor.name}' sets ${floor.minTasks} tasks, outside the limits ${minTasks} to ${maxTasks}: ` +
          'it is cut to the limit, or lowers the minimum for good.',
        `Set minTasks of '${floor.name}' between ${minTasks} and ${maxTasks}, or move scaling.minTasks / scaling.maxTasks.`,
      ),
    );
}

function eventFloors({ scaling, calendar }: PlatformConfiguration): Contradiction[] {
  return [...calendar.events, ...calendar.weekly]
    .filter((event) => event.tasks > scaling.maxTasks)
    .map((event) =>
      error(
        'event-over-max-tasks',
        `The event '${event.name}' asks for ${event.tasks} tasks, but the service stops at ${scaling.maxTasks}.`,
        `Raise scaling.maxTasks to at least ${event.tasks}, or lower tasks of '${event.name}'.`,
      ),
    );
}
