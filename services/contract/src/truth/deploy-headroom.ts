import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

/** A rolling update has somewhere to put the new tasks while the old ones still serve. */
export function deployHeadroom(configuration: PlatformConfiguration): readonly Contradiction[] {
  return [
    ...canProgress('api', configuration.api.deployment),
    ...canProgress('orchestrator', configuration.orchestrator.deployment),
    ...apiInstances(configuration),
    ...workerInstances(configuration),
  ];
}

function canProgress(
  service: string,
  deployment: PlatformConfiguration['api']['deployment'],
): Contradiction[] {
  const { minHealthyPercent, maxPercent } = deployment;
  if (maxPercent > 100 || minHealthyPercent < 100) return [];
  return [
    error(
      'deployment-stuck',
      `${service}.deployment keeps ${minHealthyPercent} % healthy and allows ${maxPercent} %: ECS may neither stop an ` +
        'old task nor start a new one.',
      `Set ${service}.deployment.maxPercent to 200.`,
    ),
  ];
}

function apiInstances({ api }: PlatformConfiguration): Contradiction[] {
  const tasks = Math.ceil((api.maxTasks * api.deployment.maxPercent) / 100);
  const needed = Math.ceil(tasks / api.hosts.tasksPerInstance);
  if (needed <= api.hosts.maxInstances) return [];
  return [
    error(
      'deploy-headroom',
      `A rolling update of ${api.maxTasks} API tasks at ${api.deployment.maxPercent} % runs ${tasks} tasks, ` +
        `${api.hosts.tasksPerInstance} per instance: ${needed} instances, but the provider stops at ` +
        `${api.hosts.maxInstances} and the deployment hangs.`,
      `Raise api.hosts.maxInstances to ${needed}, or lower api.maxTasks.`,
    ),
  ];
}

function workerInstances({ fleet }: PlatformConfiguration): Contradiction[] {
  const workers = fleet.maxWorkers + fleet.warmWorkers;
  const needed = Math.ceil(workers / fleet.hosts.tasksPerInstance);
  if (needed <= fleet.hosts.maxInstances) return [];
  return [
    error(
      'worker-hosts',
      `${fleet.maxWorkers} workers and ${fleet.warmWorkers} warm ones need ${needed} instances at ` +
        `${fleet.hosts.tasksPerInstance} each, but the provider stops at ${fleet.hosts.maxInstances}.`,
      `Raise fleet.hosts.maxInstances to ${needed}, or lower fleet.maxWorkers.`,
    ),
  ];
}
