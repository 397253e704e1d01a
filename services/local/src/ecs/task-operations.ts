import { isDeepStrictEqual } from 'node:util';

import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import type { Operations } from '../wire/aws-operation';
import { pageOf } from '../wire/aws-page';
import { listedAt } from './core/task';
import type { Task } from './core/task';
import { assertCluster, definitionOf, nameIn } from './ecs-context';
import type { EcsContext } from './ecs-context';
import { presentTask } from './present';
import { operation } from './service-operations';

const cluster = z.string().optional();

const runTask = z.object({
  cluster,
  taskDefinition: z.string(),
  count: z.number().int().min(1).max(10).default(1),
  startedBy: z.string().max(128).optional(),
  group: z.string().optional(),
  clientToken: z.string().max(64).optional(),
  tags: z.array(z.object({ key: z.string(), value: z.string() })).default([]),
  overrides: z
    .object({
      containerOverrides: z
        .array(
          z.object({
            environment: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
            command: z.array(z.string()).optional(),
          }),
        )
        .default([]),
    })
    .optional(),
});

type RunTaskInput = z.output<typeof runTask>;

/** The calls about single tasks. */
export function taskOperations(context: EcsContext): Operations {
  const { arns } = context;
  const placed = new Map<
    string,
    { readonly input: RunTaskInput; readonly ids: readonly string[] }
  >();
  const present = (task: Task): unknown => presentTask(task, arns);
  const byId = (id: string): Task | undefined => context.cluster.task(id)?.current();

  const place = (input: RunTaskInput): readonly string[] => {
    const definition = definitionOf(context, input.taskDefinition);
    const [override] = input.overrides?.containerOverrides ?? [];
    const environment: Record<string, string> = {};
    for (const { name, value } of override?.environment ?? []) environment[name] = value;
    return Array.from({ length: input.count }, () => {
      const task = context.cluster.run({
        definition: { ...definition, command: override?.command ?? definition.command },
        startedBy: input.startedBy,
        group: input.group ?? `family:${definition.family}`,
        environment,
        tags: input.tags,
      });
      return task.id;
    });
  };

  return {
    RunTask: operation(runTask, (input) => {
      assertCluster(context, input.cluster);
      const earlier = input.clientToken === undefined ? undefined : placed.get(input.clientToken);
      if (earlier !== undefined) {
        if (!isDeepStrictEqual(earlier.input, input))
          throw tokenConflict(earlier.ids.map((id) => arns.task(id)));
        return { tasks: earlier.ids.flatMap((id) => byId(id) ?? []).map(present), failures: [] };
      }
      const failure = context.script.takePlacementFailure();
      if (failure !== undefined) {
        return { tasks: [], failures: [{ arn: arns.cluster, reason: failure }] };
      }
      const ids = place(input);
      if (input.clientToken !== undefined) placed.set(input.clientToken, { input, ids });
      return { tasks: ids.flatMap((id) => byId(id) ?? []).map(present), failures: [] };
    }),

    StopTask: operation(
      z.object({ cluster, task: z.string(), reason: z.string().optional() }),
      (input) => {
        assertCluster(context, input.cluster);
        const running = context.cluster.task(nameIn(input.task));
        if (running === undefined) {
          throw new AwsError('InvalidParameterException', 'The referenced task was not found.');
        }
        running.stop('UserInitiated', input.reason ?? 'Task stopped by user');
        return { task: present(running.current()) };
      },
    ),

    ListTasks: operation(
      z.object({
        cluster,
        serviceName: z.string().optional(),
        family: z.string().optional(),
        startedBy: z.string().optional(),
        desiredStatus: z.enum(['RUNNING', 'STOPPED']).default('RUNNING'),
        maxResults: z.number().int().min(1).max(100).default(100),
        nextToken: z.string().optional(),
      }),
      (input) => {
        assertCluster(context, input.cluster);
        const group = `service:${nameIn(input.serviceName ?? '')}`;
        const asOfMs = context.clock.nowMs() - context.script.staleByMs();
        const listed = listedAt(context.cluster.tasks(), input.desiredStatus, asOfMs).filter(
          (task) =>
            (input.serviceName === undefined || task.group === group) &&
            (input.family ?? task.definition.family) === task.definition.family &&
            (input.startedBy ?? task.startedBy) === task.startedBy,
        );
        const page = pageOf(listed, input.maxResults, input.nextToken, 'InvalidParameterException');
        return { taskArns: page.items.map(({ id }) => arns.task(id)), nextToken: page.nextToken };
      },
    ),

    DescribeTasks: operation(
      z.object({ cluster, tasks: z.array(z.string()).min(1).max(100) }),
      (input) => {
        assertCluster(context, input.cluster);
        const ids = input.tasks.map(nameIn);
        return {
          tasks: ids.flatMap((id) => byId(id) ?? []).map(present),
          failures: ids
            .filter((id) => byId(id) === undefined)
            .map((id) => ({ arn: arns.task(id), reason: 'MISSING' })),
        };
      },
    ),
  };
}

function tokenConflict(resourceIds: readonly string[]): AwsError {
  return new AwsError(
    'ConflictException',
    'The clientToken is already in use with a different RunTask request.',
    400,
    { resourceIds },
  );
}
