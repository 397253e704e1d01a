import { CHAT_ALIASES, type ChatAlias, type PlatformConfiguration } from '@matsuri/contract';
import type { CapacityDecision } from './capacity/plan-capacity';
import type { Cycle } from './cycle';
import type { MitigationDecision } from './mitigation/plan-mitigations';
import type { MitigationPlan, Page, TaskPlan } from './plan';
import { droppedEntries, eventsAt } from './planned';
import type { AutoscalerState } from './state';
import { moment } from './wording';

/** What was decided in the cycle. */
export interface Decided {
  readonly tasks: TaskPlan;
  readonly capacity: Readonly<Record<ChatAlias, CapacityDecision>>;
  readonly mitigations: MitigationDecision;
}

/** Everything a person should hear about now, whether or not they have heard it. */
export function pagesDue(cycle: Cycle, decided: Decided): readonly Page[] {
  return [
    ...notEnough(decided.mitigations.plan),
    ...throttlingPersists(decided.mitigations.lanes, cycle),
    ...ceiling(decided.tasks, cycle),
    ...purchases(decided.capacity),
    ...eventsReady(cycle),
    ...eventFull(decided.mitigations.lanes, cycle),
    ...entriesDropped(cycle),
    ...blindness(cycle),
  ];
}

/** Pages whose key was not asked for within the deduplication period, and the memory of them. */
export function deduplicated(
  due: readonly Page[],
  pagedAtMs: AutoscalerState['pagedAtMs'],
  { autoscaler }: PlatformConfiguration,
  nowMs: number,
): { readonly pages: readonly Page[]; readonly pagedAtMs: AutoscalerState['pagedAtMs'] } {
  const sinceMs = nowMs - autoscaler.pageDeduplicationSeconds * 1_000;
  const recent = Object.entries(pagedAtMs).filter(([, atMs]) => atMs > sinceMs);
  const heard = new Set(recent.map(([key]) => key));
  const pages = due.filter((page) => !heard.has(page.key));
  return {
    pages,
    pagedAtMs: Object.fromEntries([...recent, ...pages.map((it) => [it.key, nowMs] as const)]),
  };
}

function notEnough(mitigations: MitigationPlan): Page[] {
  return mitigations.active
    .filter((it) => it.mitigation === 'page')
    .map(({ reason }) => ({
      key: 'mitigating',
      severity: 'page',
      title: 'Mitigations are not enough',
      text: `${reason}. In force: ${mitigations.active.map((it) => it.mitigation).join(', ')}.`,
    }));
}

function throttlingPersists(
  lanes: AutoscalerState['lanes'],
  { configuration, nowMs }: Cycle,
): Page[] {
  const { clearsWithinSeconds } = configuration.mitigations;
  return CHAT_ALIASES.flatMap((alias): Page[] => {
    const lane = lanes[alias];
    if (lane?.pressedAtMs !== nowMs) return [];
    if (nowMs - lane.sinceMs < clearsWithinSeconds * 1_000) return [];
    return [
      {
        key: `throttling-persists:${alias}`,
        severity: 'page',
        title: `Throttling of the ${alias} model persists`,
        text: `${lane.reason}, mitigated since ${moment(lane.sinceMs, 'UTC')} UTC without an end. Consider another region or a higher quota.`,
      },
    ];
  });
}

function ceiling(tasks: TaskPlan, { configuration }: Cycle): Page[] {
  const asked = Math.max(...tasks.floors.map((it) => it.tasks));
  const { maxTasks } = configuration.scaling;
  if (asked <= maxTasks) return [];
  return [
    {
      key: 'task-ceiling',
      severity: 'page',
      title: 'The task maximum is reached',
      text: `${asked} tasks are asked for, the maximum is ${maxTasks}. ${tasks.reason}.`,
    },
  ];
}

function purchases(capacity: Decided['capacity']): Page[] {
  return CHAT_ALIASES.flatMap((alias): Page[] => {
    const { trouble } = capacity[alias];
    if (trouble === undefined) return [];
    return [
      {
        key: `capacity:${alias}`,
        severity: 'warning',
        title: `Units of the ${alias} model are short`,
        text: trouble,
      },
    ];
  });
}

/** Said once the floor of an event runs, before or while it starts. */
function eventsReady({ configuration, measured, nowMs }: Cycle): Page[] {
  const running = measured.tasks?.running ?? 0;
  const cap = configuration.scaling.maxTasks;
  return eventsAt(configuration, nowMs)
    .filter((it) => running >= Math.min(cap, it.event.tasks))
    .map((it) => ({
      key: `event-ready:${it.event.name}@${it.startMs}`,
      severity: 'info',
      title: `Event capacity ready: ${it.event.name}`,
      text: `${running} tasks run for the start at ${moment(it.startMs, configuration.calendar.timeZone)}.`,
    }));
}

/** More came than was prepared for: nobody needs to wake up, somebody should look. */
function eventFull({ event }: AutoscalerState['lanes'], { nowMs }: Cycle): Page[] {
  if (event?.pressedAtMs !== nowMs) return [];
  return [
    {
      key: 'event-full',
      severity: 'warning',
      title: 'An event asks for more than was prepared',
      text: `${event.reason}. Answers are cached longer; tasks and units follow within their caps.`,
    },
  ];
}

function entriesDropped({ configuration, nowMs }: Cycle): Page[] {
  return droppedEntries(configuration, nowMs).map((name) => ({
    key: `calendar:${name}`,
    severity: 'warning',
    title: `Calendar entry '${name}' is not used`,
    text: 'Its times carry no offset or end before they start. Nobody prepares for it.',
  }));
}

/** One gap is ordinary; the second cycle without full telemetry is worth a word. */
function blindness({ telemetry, before, configuration }: Cycle): Page[] {
  if (telemetry.complete || before.completeSinceMs !== undefined) return [];
  return [
    {
      key: 'telemetry',
      severity: 'warning',
      title: 'Scaling holds: telemetry is incomplete',
      text: `${telemetry.problems.join('; ')}. Nothing shrinks until ${configuration.autoscaler.scaleIn.holdSeconds} s are complete again.`,
    },
  ];
}
