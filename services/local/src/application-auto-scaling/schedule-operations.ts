import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { timestamp } from '../cloudwatch/metric-input';
import { AwsError } from '../wire/aws-error';
import { operation } from '../wire/aws-operation';
import type { Operations } from '../wire/aws-operation';
import { pageOf } from '../wire/aws-page';
import { ScheduleError } from './core/cron-expression';
import { parseSchedule } from './core/schedule';
import type { Schedule } from './core/schedule';
import { isTimeZone } from './core/zoned-time';
import { ecsTarget, notFound, paging, targetOf } from './operations';
import type { ScalingContext } from './operations';
import { presentScheduledAction } from './present';

const scheduledActionInput = z.object({
  ...ecsTarget,
  ScheduledActionName: z.string().min(1).max(256),
  Schedule: z.string().optional(),
  Timezone: z.string().refine(isTimeZone, { message: 'is not an IANA time zone' }).optional(),
  StartTime: timestamp.optional(),
  EndTime: timestamp.optional(),
  ScalableTargetAction: z
    .object({
      MinCapacity: z.number().int().min(0).optional(),
      MaxCapacity: z.number().int().min(0).optional(),
    })
    .optional(),
});

/** The calls about scheduled actions. */
export function scheduleOperations(context: ScalingContext): Operations {
  const { schedules, clock } = context;
  return {
    PutScheduledAction: operation(scheduledActionInput, (input) => {
      targetOf(context, input.ResourceId);
      const { ScheduledActionName: name, ResourceId: resourceId } = input;
      const known = schedules.find(resourceId, name);
      const text = input.Schedule ?? known?.scheduleText;
      if (text === undefined) throw new AwsError('ValidationException', 'A Schedule is required');
      const schedule = readSchedule(text, input.Timezone ?? 'UTC');
      if (input.Schedule !== undefined) assertAhead(schedule, clock.nowMs());
      const action = input.ScalableTargetAction;
      schedules.save({
        name,
        resourceId,
        arn:
          known?.arn ??
          `${context.arnPrefix}:scheduledAction:${randomUUID()}:resource/ecs/${resourceId}:scheduledActionName/${name}`,
        createdAtMs: known?.createdAtMs ?? clock.nowMs(),
        scheduleText: text,
        schedule,
        timezone: input.Timezone,
        startMs: input.StartTime,
        endMs: input.EndTime,
        minCapacity: action === undefined ? known?.minCapacity : action.MinCapacity,
        maxCapacity: action === undefined ? known?.maxCapacity : action.MaxCapacity,
      });
    }),

    DescribeScheduledActions: operation(
      z.object({
        ServiceNamespace: ecsTarget.ServiceNamespace,
        ResourceId: z.string().optional(),
        ScheduledActionNames: z.array(z.string()).optional(),
        ...paging,
      }),
      (input) => {
        const wanted = schedules
          .list()
          .filter(
            ({ name, resourceId }) =>
              (input.ResourceId ?? resourceId) === resourceId &&
              (input.ScheduledActionNames?.includes(name) ?? true),
          );
        const page = pageOf(wanted, input.MaxResults, input.NextToken);
        return {
          ScheduledActions: page.items.map(presentScheduledAction),
          NextToken: page.nextToken,
        };
      },
    ),

    DeleteScheduledAction: operation(
      z.object({ ...ecsTarget, ScheduledActionName: z.string() }),
      (input) => {
        const action = schedules.find(input.ResourceId, input.ScheduledActionName);
        if (action === undefined) {
          throw notFound(`No scheduled action found: ${input.ScheduledActionName}`);
        }
        schedules.remove(action);
      },
    ),
  };
}

function readSchedule(text: string, zone: string): Schedule {
  try {
    return parseSchedule(text, zone);
  } catch (cause) {
    if (cause instanceof ScheduleError) throw new AwsError('ValidationException', cause.message);
    throw cause;
  }
}

function assertAhead(schedule: Schedule, nowMs: number): void {
  if (schedule.kind === 'at' && schedule.atMs <= nowMs) {
    throw new AwsError('ValidationException', 'The time of an at expression must lie ahead');
  }
}
