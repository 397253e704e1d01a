import {
  DescribeScalableTargetsCommand,
  PutScheduledActionCommand,
  RegisterScalableTargetCommand,
  type ApplicationAutoScalingClient,
} from '@aws-sdk/client-application-auto-scaling';
import { FLOOR_EXPIRY_ACTION } from '@matsuri/contract';
import type { FloorTarget } from '../ports';
import { inTime } from './aws-call';
import type { ServiceName } from './ecs-service';

/** The limits of the chat service in Application Auto Scaling. Its maximum is the stack's and stays. */
export function scalableTarget(
  client: ApplicationAutoScalingClient,
  { cluster, service }: ServiceName,
): FloorTarget {
  const ResourceId = `service/${cluster}/${service}`;
  const target = {
    ServiceNamespace: 'ecs',
    ResourceId,
    ScalableDimension: 'ecs:service:DesiredCount',
  } as const;
  return {
    async limits() {
      const command = new DescribeScalableTargetsCommand({
        ServiceNamespace: 'ecs',
        ResourceIds: [ResourceId],
      });
      const { ScalableTargets: [found] = [] } = await client.send(command, inTime());
      const { MinCapacity: minCapacity, MaxCapacity: maxCapacity } = found ?? {};
      if (minCapacity === undefined || maxCapacity === undefined) {
        throw new Error(`${ResourceId} is not registered with Application Auto Scaling`);
      }
      return { minCapacity, maxCapacity };
    },
    async setFloor(tasks) {
      await client.send(
        new RegisterScalableTargetCommand({ ...target, MinCapacity: tasks }),
        inTime(),
      );
    },
    async returnAt(atMs, tasks) {
      await client.send(
        new PutScheduledActionCommand({
          ...target,
          ScheduledActionName: FLOOR_EXPIRY_ACTION,
          Schedule: `at(${secondsOf(atMs)})`,
          Timezone: 'UTC',
          ScalableTargetAction: { MinCapacity: tasks },
        }),
        inTime(),
      );
    },
  };
}

/** `2026-11-27T00:00:00`, the form `at()` takes. */
function secondsOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19);
}
