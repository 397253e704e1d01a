import { describeContradictions } from '../../test/contradiction-of';
import { INVOCATIONS_TARGET, QUEUE_DEPTH_STEPS, WEB_SOCKET_STEPS } from '../scaling/policies';

const EVENING = { name: 'evening', days: ['MON' as const], at: '17:00', minTasks: 30 };

describeContradictions('scaling', [
  {
    id: 'schedule-without-time-zone',
    when: 'a schedule says six without saying where',
    overrides: { scaling: { schedule: [EVENING] } },
    says: /'evening' \(cron\(0 17 \? \* MON \*\)\) has no time zone: AWS reads it as UTC/,
    fix: /Set timeZone: 'Asia\/Tokyo' on 'evening'/,
  },
  {
    id: 'unknown-time-zone',
    when: 'a schedule names a zone nobody knows',
    overrides: { scaling: { schedule: [{ ...EVENING, timeZone: 'JST+9' }] } },
    says: /'evening' names the time zone 'JST\+9', which is not an IANA zone/,
    fix: /Asia\/Tokyo/,
  },
  {
    id: 'task-limits',
    when: 'the minimum is above the maximum',
    overrides: { scaling: { minTasks: 200 } },
    says: /minTasks \(200\) is above scaling\.maxTasks \(100\)/,
    fix: /Raise scaling\.maxTasks or lower scaling\.minTasks/,
  },
  {
    id: 'single-task',
    when: 'one task alone serves everybody',
    severity: 'warning',
    overrides: { api: { minTasks: 1 } },
    says: /api\.minTasks is 1: when that task or its zone fails, nobody is served/,
    fix: /Set api\.minTasks to at least 2/,
  },
  {
    id: 'schedule-outside-limits',
    when: 'a scheduled floor is above the maximum',
    overrides: { scaling: { maxTasks: 25 } },
    says: /'evening-pre-scale' sets 30 tasks, outside the limits 5 to 25/,
    fix: /minTasks of 'evening-pre-scale' between 5 and 25/,
  },
  {
    id: 'schedule-outside-limits',
    when: 'a scheduled floor is below the minimum',
    overrides: { scaling: { minTasks: 8 } },
    says: /'overnight-trough' sets 5 tasks, outside the limits 8 to 100/,
    fix: /move scaling\.minTasks/,
  },
  {
    id: 'event-over-max-tasks',
    when: 'an event asks for more tasks than there may be',
    overrides: { scaling: { maxTasks: 40 } },
    says: /'new_year_sale' asks for 50 tasks, but the service stops at 40/,
    fix: /Raise scaling\.maxTasks to at least 50/,
  },
  {
    id: 'threshold-unreachable',
    when: 'the invocations target is above the slots of a task',
    overrides: { gateway: { slotsPerTask: 40 } },
    says: /'invocations-target-tracking' waits for activeInvocationsPerTask of 40, but it cannot pass 40 \(gateway\.slotsPerTask is 40\)/,
    fix: /below 40, or raise gateway\.slotsPerTask/,
  },
  {
    id: 'threshold-unreachable',
    when: 'sessions are refused before connections reach the first step',
    overrides: { orchestrator: { sessionsPerTask: 1_000 } },
    says: /normalisedWebSocketConnections of 8,000, but it cannot pass 5,000 \(5 tasks hold 1000 sessions each\)/,
    fix: /raise orchestrator\.sessionsPerTask/,
  },
  {
    id: 'threshold-unreachable',
    when: 'a CPU target is no percentage',
    overrides: {
      scaling: { targetTracking: [{ ...INVOCATIONS_TARGET, signal: 'cpuPercent', target: 120 }] },
    },
    says: /cpuPercent of 120, but it cannot pass 100/,
    fix: /below 100/,
  },
  {
    id: 'step-bounds',
    when: 'there is a gap between two steps',
    overrides: {
      scaling: {
        steps: [
          {
            ...WEB_SOCKET_STEPS,
            scaleOut: {
              ...WEB_SOCKET_STEPS.scaleOut,
              steps: [
                { from: 8_000, to: 9_000, addTasks: 2 },
                { from: 9_500, addTasks: 4 },
              ],
            },
          },
        ],
      },
    },
    says: /steps of 'websocket-connections-step' must follow each other .* breaks at 9500/,
    fix: /begin at 8000, each next one where the one before ends/,
  },
  {
    id: 'step-bounds',
    when: 'readings above the last step do nothing',
    overrides: {
      scaling: {
        steps: [
          {
            ...WEB_SOCKET_STEPS,
            scaleOut: {
              ...WEB_SOCKET_STEPS.scaleOut,
              steps: [{ from: 8_000, to: 9_000, addTasks: 2 }],
            },
          },
        ],
      },
    },
    says: /has no last step without an upper bound/,
    fix: /the last have no upper bound/,
  },
  {
    id: 'alarm-period',
    when: 'CloudWatch knows no such period',
    overrides: {
      scaling: {
        steps: [
          { ...WEB_SOCKET_STEPS, scaleOut: { ...WEB_SOCKET_STEPS.scaleOut, periodSeconds: 15 } },
        ],
      },
    },
    says: /watches 20 s in periods of 15 s; CloudWatch takes periods of 10, 20, 30/,
    fix: /Set periodSeconds of 'websocket-connections-step' to 10, 20, 30/,
  },
  {
    id: 'policy-oscillates',
    when: 'scale-in begins above scale-out',
    overrides: {
      scaling: {
        steps: [
          {
            ...QUEUE_DEPTH_STEPS,
            scaleIn: { ...QUEUE_DEPTH_STEPS.scaleOut, threshold: 60, periodSeconds: 60 },
          },
        ],
      },
    },
    says: /'queue-depth-step' scales in below 60 and out above 50/,
    fix: /well below 50/,
  },
  {
    id: 'step-over-range',
    when: 'one step is larger than the whole range',
    overrides: { profile: 'genai', scaling: { minTasks: 5, maxTasks: 12 } },
    says: /'queue-depth-emergency' adds 10 tasks at once, but the service only has 7/,
    fix: /Raise scaling\.maxTasks by at least 3/,
  },
  {
    id: 'regression-over-history',
    when: 'more is regressed over than is remembered',
    overrides: { autoscaler: { historySeconds: 120 } },
    says: /regresses over 300 s but keeps 120 s/,
    fix: /historySeconds to at least 300/,
  },
  {
    id: 'regression-without-points',
    when: 'the window holds too few points to predict',
    overrides: { autoscaler: { regressionSeconds: 50 } },
    says: /50 s at one reading per 10 s are 5 points, fewer than the 6/,
    fix: /regressionSeconds to 60/,
  },
  {
    id: 'autoscaler-expires-early',
    when: 'the lease ends within a cycle',
    overrides: { autoscaler: { leaseSeconds: 15 } },
    says: /autoscaler\.leaseSeconds is 15 s with a cycle of 10 s/,
    fix: /leaseSeconds to at least 30/,
  },
  {
    id: 'autoscaler-thresholds',
    when: 'it scales in at the reading at which it scales out',
    overrides: { autoscaler: { scaleIn: { queueDepth: 50 } } },
    says: /lower threshold for queueDepth \(50\) is not below the upper one \(50\)/,
    fix: /well below 50/,
  },
]);
