import { aws, fixed, own, type AlarmDefinition } from './alarm';

const DEAD_LETTERS = {
  watches: aws('queueVisibleMessages'),
  statistic: 'Maximum',
  comparison: '>',
  threshold: fixed(0),
  forSeconds: 60,
  periodSeconds: 60,
  missingData: 'notBreaching',
  target: '0 messages',
  reaction: 'page',
} as const;

const OLDEST_MESSAGE = {
  watches: aws('queueOldestMessage'),
  statistic: 'Maximum',
  comparison: '>',
  threshold: fixed(300),
  forSeconds: 180,
  periodSeconds: 60,
  missingData: 'notBreaching',
  target: 'seconds',
  reaction: 'page',
} as const;

/** Alarms of the fleet plane; the key is the heading in the runbook. */
export const FLEET_ALARMS = {
  WorkerCommandsDead: {
    ...DEAD_LETTERS,
    impact: 'some users’ workers were neither started nor stopped as asked',
  },
  OrderTasksDead: {
    ...DEAD_LETTERS,
    impact: 'some orders’ fills were never verified with the broker',
  },
  WorkerCommandsLate: {
    ...OLDEST_MESSAGE,
    impact: 'starting and stopping workers takes minutes',
  },
  OrderTasksLate: {
    ...OLDEST_MESSAGE,
    impact: 'order fills are verified minutes late',
  },
  WorkerHostMemoryHigh: {
    watches: aws('instanceMemory'),
    statistic: 'Maximum',
    comparison: '>',
    threshold: fixed(85),
    forSeconds: 120,
    periodSeconds: 60,
    missingData: 'notBreaching',
    target: 'below 80 %',
    impact: 'hard limits are over-committed: this host may kill any worker on it',
    reaction: 'page',
  },
  RunTaskFailing: {
    watches: own('runTaskFailures'),
    statistic: 'Sum',
    comparison: '>',
    threshold: fixed(0),
    forSeconds: 300,
    periodSeconds: 60,
    missingData: 'notBreaching',
    target: '0 failures',
    impact: 'users without a warm worker wait: ECS has no room for new tasks',
    reaction: 'page',
  },
} as const satisfies Record<string, AlarmDefinition>;
