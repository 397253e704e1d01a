import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import { operation as anyOperation } from '../wire/aws-operation';
import type { Operation, Operations } from '../wire/aws-operation';
import { describeReason, targetKey } from './core/target-health';
import type { HealthReason, Target } from './core/target-health';
import type { TargetGroup, TargetGroupSettings } from './target-groups';

const number = z.coerce.number();
const groupArn = z.string();
const target = z.object({ Id: z.string(), Port: number.optional() });
const DELAY_ATTRIBUTE = 'deregistration_delay.timeout_seconds';

/** Where the operations find and make target groups. */
export interface TargetGroupBook {
  find(arn: string): TargetGroup | undefined;
  list(): readonly TargetGroup[];
  create(settings: Partial<TargetGroupSettings> & { readonly name: string }): TargetGroup;
  remove(arn: string): void;
}

function operation<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>) => unknown,
): Operation {
  return anyOperation(schema, run, 'ValidationError');
}

export function loadBalancingOperations(book: TargetGroupBook): Operations {
  const groupOf = (arn: string): TargetGroup => {
    const group = book.find(arn);
    if (group !== undefined) return group;
    throw new AwsError('TargetGroupNotFound', `Target groups '${arn}' not found`);
  };

  return {
    RegisterTargets: operation(
      z.object({ TargetGroupArn: groupArn, Targets: z.array(target) }),
      (input) => {
        const group = groupOf(input.TargetGroupArn);
        for (const { Id, Port } of input.Targets) group.register(Id, Port ?? group.settings.port);
      },
    ),

    DeregisterTargets: operation(
      z.object({ TargetGroupArn: groupArn, Targets: z.array(target) }),
      (input) => {
        const group = groupOf(input.TargetGroupArn);
        for (const { Id, Port } of input.Targets) {
          if (!group.targets().some(({ id, port }) => id === Id && (Port ?? port) === port)) {
            throw new AwsError('InvalidTarget', `The target '${Id}' is not registered`);
          }
          group.deregister(Id, Port);
        }
      },
    ),

    DescribeTargetHealth: operation(
      z.object({ TargetGroupArn: groupArn, Targets: z.array(target).optional() }),
      (input) => {
        const group = groupOf(input.TargetGroupArn);
        const asked =
          input.Targets ?? group.targets().map(({ id, port }) => ({ Id: id, Port: port }));
        return {
          TargetHealthDescriptions: asked.map(({ Id, Port }) =>
            presentHealth(Id, Port ?? group.settings.port, group.targets()),
          ),
        };
      },
    ),

    CreateTargetGroup: operation(
      z.object({
        Name: z.string().min(1).max(32),
        Port: number.default(80),
        HealthCheckPath: z.string().optional(),
        HealthCheckIntervalSeconds: number.optional(),
        HealthyThresholdCount: number.optional(),
        UnhealthyThresholdCount: number.optional(),
        Matcher: z.object({ HttpCode: z.string() }).optional(),
      }),
      (input) => {
        const settings = {
          name: input.Name,
          port: input.Port,
          path: input.HealthCheckPath,
          intervalMs: seconds(input.HealthCheckIntervalSeconds),
          healthyThreshold: input.HealthyThresholdCount,
          unhealthyThreshold: input.UnhealthyThresholdCount,
          matcher: input.Matcher?.HttpCode,
        };
        const given = Object.entries(settings).filter(([, value]) => value !== undefined);
        const group = book.create({ ...Object.fromEntries(given), name: input.Name });
        return { TargetGroups: [presentGroup(group)] };
      },
    ),

    DeleteTargetGroup: operation(z.object({ TargetGroupArn: groupArn }), (input) => {
      book.remove(groupOf(input.TargetGroupArn).arn);
    }),

    DescribeTargetGroups: operation(
      z.object({
        TargetGroupArns: z.array(groupArn).optional(),
        Names: z.array(z.string()).optional(),
      }),
      ({ TargetGroupArns: arns, Names: names }) => {
        const wanted = arns?.map(groupOf) ?? book.list();
        const named = wanted.filter(({ settings }) => names?.includes(settings.name) ?? true);
        if (names !== undefined && named.length < names.length) {
          throw new AwsError('TargetGroupNotFound', 'One or more target groups not found');
        }
        return { TargetGroups: named.map(presentGroup) };
      },
    ),

    DescribeTargetGroupAttributes: operation(z.object({ TargetGroupArn: groupArn }), (input) => ({
      Attributes: presentAttributes(groupOf(input.TargetGroupArn)),
    })),

    ModifyTargetGroupAttributes: operation(
      z.object({
        TargetGroupArn: groupArn,
        Attributes: z.array(z.object({ Key: z.literal(DELAY_ATTRIBUTE), Value: number })),
      }),
      (input) => {
        const group = groupOf(input.TargetGroupArn);
        for (const { Value } of input.Attributes) group.changeDeregistrationDelay(Value * 1_000);
        return { Attributes: presentAttributes(group) };
      },
    ),
  };
}

function seconds(value: number | undefined): number | undefined {
  return value === undefined ? undefined : value * 1_000;
}

function presentHealth(id: string, port: number, targets: readonly Target[]): unknown {
  const found = targets.find((candidate) => targetKey(candidate) === targetKey({ id, port }));
  const reason: HealthReason | undefined =
    found === undefined ? 'Target.NotRegistered' : found.reason;
  return {
    Target: { Id: id, Port: port },
    HealthCheckPort: String(port),
    TargetHealth: {
      State: found?.state ?? 'unused',
      Reason: reason,
      Description: reason === undefined ? undefined : describeReason(reason),
    },
  };
}

function presentGroup({ arn, settings }: TargetGroup): unknown {
  return {
    TargetGroupArn: arn,
    TargetGroupName: settings.name,
    Protocol: 'HTTP',
    Port: settings.port,
    TargetType: 'ip',
    HealthCheckEnabled: true,
    HealthCheckPath: settings.path,
    HealthCheckIntervalSeconds: settings.intervalMs / 1_000,
    HealthyThresholdCount: settings.healthyThreshold,
    UnhealthyThresholdCount: settings.unhealthyThreshold,
    Matcher: { HttpCode: settings.matcher },
  };
}

function presentAttributes({ settings }: TargetGroup): unknown {
  return [{ Key: DELAY_ATTRIBUTE, Value: String(settings.deregistrationDelayMs / 1_000) }];
}
