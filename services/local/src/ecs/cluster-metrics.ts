import type { MetricDatum } from '../cloudwatch/core/metric';
import type { Cluster } from './cluster';
import { isPending } from './core/task';
import type { Task } from './core/task';
import { readUsage } from './process-usage';
import type { ProcessUsage } from './process-usage';

const MIB = 1_024 * 1_024;

/** Measures services as ECS and Container Insights do; call it once per virtual minute. */
export function clusterMeter(
  cluster: Cluster,
  clusterName: string,
): (nowMs: number, realMs: number) => Promise<MetricDatum[]> {
  let before = new Map<string, { readonly usage: ProcessUsage; readonly realMs: number }>();

  return async (nowMs, realMs) => {
    const after: typeof before = new Map();
    const data: MetricDatum[] = [];
    for (const { name, desiredCount } of cluster.services()) {
      const tasks = cluster.tasks().filter(({ group }) => group === `service:${name}`);
      const running = tasks.filter(({ lastStatus }) => lastStatus === 'RUNNING');
      const measured = await Promise.all(
        running.map((task) => measure(task, realMs, before, after)),
      );
      const dimensions = { ClusterName: clusterName, ServiceName: name };
      const datum = (
        namespace: string,
        metric: string,
        values: readonly number[],
      ): MetricDatum => ({
        namespace,
        name: metric,
        dimensions,
        timestampMs: nowMs - 1,
        samples: values.map((value) => ({ value, count: 1 })),
      });
      data.push(
        datum('ECS/ContainerInsights', 'DesiredTaskCount', [desiredCount]),
        datum('ECS/ContainerInsights', 'RunningTaskCount', [running.length]),
        datum('ECS/ContainerInsights', 'PendingTaskCount', [tasks.filter(isPending).length]),
        datum(
          'AWS/ECS',
          'CPUUtilization',
          measured.flatMap((each) => each.cpuPercent ?? []),
        ),
        datum(
          'AWS/ECS',
          'MemoryUtilization',
          measured.flatMap((each) => each.memoryPercent ?? []),
        ),
      );
    }
    before = after;
    return data.filter(({ samples }) => !Array.isArray(samples) || samples.length > 0);
  };
}

interface Measured {
  readonly cpuPercent?: number;
  readonly memoryPercent?: number;
}

async function measure(
  task: Task,
  realMs: number,
  before: ReadonlyMap<string, { readonly usage: ProcessUsage; readonly realMs: number }>,
  after: Map<string, { readonly usage: ProcessUsage; readonly realMs: number }>,
): Promise<Measured> {
  const usage = task.pid === undefined ? undefined : await readUsage(task.pid);
  if (usage === undefined) return {};
  after.set(task.id, { usage, realMs });
  const earlier = before.get(task.id);
  const { memoryMiB, cpuUnits } = task.definition;
  return {
    ...(memoryMiB === undefined
      ? {}
      : { memoryPercent: (usage.residentBytes / (memoryMiB * MIB)) * 100 }),
    ...(earlier === undefined
      ? {}
      : {
          cpuPercent:
            ((usage.cpuSeconds - earlier.usage.cpuSeconds) /
              ((realMs - earlier.realMs) / 1_000) /
              (cpuUnits / 1_024)) *
            100,
        }),
  };
}
