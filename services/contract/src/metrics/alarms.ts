import type { AlarmDefinition } from './alarm';
import { CAPACITY_ALARMS } from './capacity-alarms';
import { CHAT_ALARMS } from './chat-alarms';
import { FLEET_ALARMS } from './fleet-alarms';
import { GATEWAY_ALARMS } from './gateway-alarms';
import { JOB_ALARMS } from './job-alarms';

/** Every alarm of the platform; its key is its name and its heading in the runbooks. */
export const ALARMS = {
  ...CHAT_ALARMS,
  ...CAPACITY_ALARMS,
  ...GATEWAY_ALARMS,
  ...JOB_ALARMS,
  ...FLEET_ALARMS,
} as const satisfies Record<string, AlarmDefinition>;

export type AlarmKey = keyof typeof ALARMS;

/** The same, by the plane that suffers; each plane has a runbook of its own. */
export const ALARMS_BY_PLANE = {
  chat: CHAT_ALARMS,
  gateway: GATEWAY_ALARMS,
  capacity: CAPACITY_ALARMS,
  jobs: JOB_ALARMS,
  fleet: FLEET_ALARMS,
} as const satisfies Record<string, Record<string, AlarmDefinition>>;

/** Two alarms keep the names people already look for; the others are named after their runbook heading. */
const ESTABLISHED_NAMES: Partial<Record<AlarmKey, string>> = {
  WorkerCommandsDead: 'orchestrator-dlq-has-messages',
  OrderTasksDead: 'order-tasks-dlq-has-messages',
};

/** The alarm's name in CloudWatch. */
export function alarmName(environment: string, alarm: AlarmKey): string {
  return `${environment}-${ESTABLISHED_NAMES[alarm] ?? alarm}`;
}
