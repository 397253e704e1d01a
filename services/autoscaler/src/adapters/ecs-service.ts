import { DescribeServicesCommand, UpdateServiceCommand, type ECSClient } from '@aws-sdk/client-ecs';
import type { ChatService } from '../ports';
import { inTime } from './aws-call';

export interface ServiceName {
  readonly cluster: string;
  readonly service: string;
}

/** The chat service in ECS. */
export function ecsService(client: ECSClient, { cluster, service }: ServiceName): ChatService {
  return {
    async counts() {
      const command = new DescribeServicesCommand({ cluster, services: [service] });
      const { services: [found] = [], failures = [] } = await client.send(command, inTime());
      const { runningCount: running, desiredCount: desired } = found ?? {};
      if (running === undefined || desired === undefined) {
        const reason = failures[0]?.reason ?? 'not described';
        throw new Error(`ECS service ${service} in cluster ${cluster}: ${reason}`);
      }
      return { running, desired };
    },
    async setDesired(tasks) {
      const command = new UpdateServiceCommand({ cluster, service, desiredCount: tasks });
      await client.send(command, inTime());
    },
  };
}
