import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import { operation as anyOperation } from '../wire/aws-operation';
import type { Operation, Operations } from '../wire/aws-operation';
import { assertCluster, definitionOf, nameIn, serviceOf } from './ecs-context';
import type { EcsContext } from './ecs-context';
import { presentDefinition, presentService } from './present';

export function operation<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>) => unknown,
): Operation {
  return anyOperation(schema, run, 'InvalidParameterException');
}

const count = z.number().int().min(0);
const cluster = z.string().optional();

/** The calls about services and task definitions. */
export function serviceOperations(context: EcsContext): Operations {
  const { arns } = context;
  const present = (name: string): unknown =>
    presentService(serviceOf(context, name), context.cluster, arns);

  return {
    CreateService: operation(
      z.object({
        cluster,
        serviceName: z.string(),
        taskDefinition: z.string(),
        desiredCount: count.default(0),
        loadBalancers: z.array(z.object({ targetGroupArn: z.string() })).default([]),
        healthCheckGracePeriodSeconds: count.optional(),
      }),
      (input) => {
        assertCluster(context, input.cluster);
        if (context.cluster.service(input.serviceName) !== undefined) {
          throw new AwsError(
            'InvalidParameterException',
            'Creation of service was not idempotent.',
          );
        }
        const [balanced] = input.loadBalancers;
        const graceSeconds = input.healthCheckGracePeriodSeconds;
        context.cluster.createService({
          name: input.serviceName,
          definition: definitionOf(context, input.taskDefinition),
          desiredCount: input.desiredCount,
          ...balanced,
          ...(graceSeconds === undefined ? {} : { healthCheckGraceMs: graceSeconds * 1_000 }),
        });
        return { service: present(input.serviceName) };
      },
    ),

    UpdateService: operation(
      z.object({
        cluster,
        service: z.string(),
        desiredCount: count.optional(),
        taskDefinition: z.string().optional(),
        forceNewDeployment: z.boolean().default(false),
      }),
      (input) => {
        assertCluster(context, input.cluster);
        const service = serviceOf(context, input.service);
        const reference = input.taskDefinition;
        const definition =
          reference === undefined
            ? service.deployments[0].definition
            : definitionOf(context, reference);
        if (input.desiredCount !== undefined)
          context.cluster.resize(service.name, input.desiredCount);
        if (reference !== undefined || input.forceNewDeployment) {
          context.cluster.deploy(service.name, definition);
        }
        return { service: present(service.name) };
      },
    ),

    DeleteService: operation(
      z.object({ cluster, service: z.string(), force: z.boolean().default(false) }),
      (input) => {
        assertCluster(context, input.cluster);
        const service = serviceOf(context, input.service);
        if (service.desiredCount > 0 && !input.force) {
          throw new AwsError(
            'InvalidParameterException',
            'The service cannot be stopped while it is scaled above 0.',
          );
        }
        const last = present(service.name);
        context.cluster.removeService(service.name);
        return { service: last };
      },
    ),

    DescribeServices: operation(
      z.object({ cluster, services: z.array(z.string()).min(1).max(10) }),
      (input) => {
        assertCluster(context, input.cluster);
        const isKnown = (reference: string): boolean =>
          context.cluster.service(nameIn(reference)) !== undefined;
        return {
          services: input.services.filter(isKnown).map(present),
          failures: input.services
            .filter((reference) => !isKnown(reference))
            .map((reference) => ({ arn: arns.service(nameIn(reference)), reason: 'MISSING' })),
        };
      },
    ),

    ListServices: operation(z.object({ cluster }), (input) => {
      assertCluster(context, input.cluster);
      return { serviceArns: context.cluster.services().map(({ name }) => arns.service(name)) };
    }),

    RegisterTaskDefinition: operation(
      z.object({
        family: z.string(),
        cpu: z.coerce.number().optional(),
        memory: z.coerce.number().optional(),
        containerDefinitions: z
          .array(
            z.object({
              name: z.string(),
              command: z.array(z.string()).min(1),
              environment: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
              stopTimeout: z.number().optional(),
            }),
          )
          .length(1),
      }),
      (input) => {
        const [container] = input.containerDefinitions;
        const registered = context.definitions.register({
          family: input.family,
          command: container?.command ?? [],
          containerName: container?.name ?? 'app',
          environment: Object.fromEntries(
            container?.environment.map(({ name, value }) => [name, value]) ?? [],
          ),
          ...(input.cpu === undefined ? {} : { cpuUnits: input.cpu }),
          ...(input.memory === undefined ? {} : { memoryMiB: input.memory }),
          ...(container?.stopTimeout === undefined
            ? {}
            : { stopTimeoutMs: container.stopTimeout * 1_000 }),
        });
        return { taskDefinition: presentDefinition(registered, arns) };
      },
    ),

    DescribeTaskDefinition: operation(z.object({ taskDefinition: z.string() }), (input) => ({
      taskDefinition: presentDefinition(definitionOf(context, input.taskDefinition), arns),
      tags: [],
    })),
  };
}
