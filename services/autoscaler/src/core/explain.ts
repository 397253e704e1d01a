import { CHAT_ALIASES, type ChatAlias } from '@matsuri/contract';
import { totalOf, type CostRate } from './cost-rate';
import type { CapacityPlan, ModelFigures, Plan, TaskPlan } from './plan';
import type { AutoscalerState } from './state';
import { count, dollars, figure, percent } from './wording';

/** Why things are as they are, for somebody who was just woken up. Times are UTC. */
export function explain(state: AutoscalerState, plan: Plan): string {
  return [
    `${utc(plan.atMs)}  ${plan.state}: ${plan.reason}`,
    '',
    ...taskLines(plan.tasks, state),
    '',
    ...CHAT_ALIASES.flatMap((alias) => [
      modelLine(alias, plan.figures.models[alias]),
      ...capacityLines(plan.capacity[alias]),
    ]),
    costLine(plan.figures.costRate),
    '',
    ...mitigationLines(plan),
    ...telemetryLines(plan, state),
    ...prewarmLines(plan),
    ...pageLines(plan, state),
  ].join('\n');
}

function costLine(rate: CostRate): string {
  const of = (part: number | undefined) => (part === undefined ? 'unknown' : dollars(part));
  const parts = `tasks ${of(rate.tasks)}, units ${of(rate.units)}, tokens ${of(rate.tokens)}`;
  const total = totalOf(rate);
  return total === undefined ? `by the hour: ${parts}` : `${dollars(total)} an hour: ${parts}`;
}

function taskLines(tasks: TaskPlan, state: AutoscalerState): readonly string[] {
  const highest = Math.max(...tasks.floors.map((floor) => floor.tasks));
  const asks = tasks.floors.map((floor) => {
    const mark = floor.tasks === highest ? '>' : ' ';
    return `${mark} ${floor.kind.padEnd(9)} ${String(floor.tasks).padStart(4)}  ${floor.reason}`;
  });
  const [highestWant] = state.tasks.wants;
  return [
    `floor ${count(tasks.floor, 'task')}: ${tasks.reason}`,
    ...asks,
    ...(highestWant !== undefined && highestWant.tasks > tasks.wanted
      ? [`  held up by an ask for ${count(highestWant.tasks, 'task')} at ${utc(highestWant.atMs)}`]
      : []),
    ...(tasks.nudgeDesiredTo === undefined
      ? []
      : [`  desired count is lowered to ${tasks.nudgeDesiredTo}`]),
    `  unless renewed, AWS returns it to ${tasks.returnsTo} at ${utc(tasks.expiresAtMs)}`,
  ];
}

function modelLine(alias: ChatAlias, model: ModelFigures): string {
  const source = model.capacityIs === 'provisioned' ? 'units' : 'on-demand quota';
  const used =
    model.utilisation === undefined || model.tokensPerSecond === undefined
      ? 'no fresh reading'
      : `${figure(model.tokensPerSecond)} tokens/s, ${percent(model.utilisation)}`;
  const soon =
    model.predictedUtilisation === undefined
      ? ''
      : `, ${percent(model.predictedUtilisation)} expected`;
  return `${alias} model: ${used} of ${figure(model.capacityTokensPerSecond)} tokens/s by ${source}${soon}`;
}

function capacityLines(capacity: CapacityPlan): readonly string[] {
  const pending = capacity.pendingUnits === 0 ? '' : `, ${capacity.pendingUnits} on their way`;
  return [
    `  ${count(capacity.inServiceUnits, 'unit')} in service${pending}: ${capacity.reason}`,
    ...capacity.deletions.map(
      (it) => `  delete ${it.arn} (${count(it.units, 'unit')}): ${it.reason}`,
    ),
  ];
}

function mitigationLines({ mitigations }: Plan): readonly string[] {
  if (mitigations.active.length === 0) return ['nothing is mitigated'];
  return [
    `mitigations, cache time ${mitigations.cacheSeconds} s:`,
    ...mitigations.active.map(
      (it) => `  ${it.mitigation.padEnd(15)} since ${utc(it.sinceMs)}: ${it.reason}`,
    ),
  ];
}

function telemetryLines(
  { telemetry }: Plan,
  { completeSinceMs }: AutoscalerState,
): readonly string[] {
  if (telemetry.complete) {
    return completeSinceMs === undefined
      ? []
      : [`telemetry complete since ${utc(completeSinceMs)}`];
  }
  return [`nothing shrinks: ${telemetry.problems.join('; ')}`];
}

function prewarmLines({ prewarm }: Plan): readonly string[] {
  if (prewarm === undefined) return [];
  return [`prepare answers for ${prewarm.titles} titles: ${prewarm.reason}`];
}

function pageLines({ pages }: Plan, { pagedAtMs }: AutoscalerState): readonly string[] {
  const earlier = Object.entries(pagedAtMs).filter(([key]) => pages.every((it) => it.key !== key));
  return [
    ...pages.map((it) => `${it.severity}: ${it.title}. ${it.text}`),
    ...earlier.map(([key, atMs]) => `told at ${utc(atMs)}: ${key}`),
  ];
}

function utc(atMs: number): string {
  return new Date(atMs).toISOString().replace('T', ' ').slice(0, 19);
}
