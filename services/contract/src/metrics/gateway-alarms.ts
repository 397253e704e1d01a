import { aws, fixed, own, type AlarmDefinition } from './alarm';

/** Alarms of the model gateway and the API; the key is the heading in the runbook. */
export const GATEWAY_ALARMS = {
  GatewayTimeouts: {
    watches: aws('gatewayTimeouts'),
    statistic: 'Sum',
    comparison: '>',
    threshold: fixed(0),
    forSeconds: 300,
    periodSeconds: 60,
    missingData: 'notBreaching',
    target: '0 bare 504 answers',
    impact: 'clients get a bare 504: the timeout ladder is out of order somewhere',
    reaction: 'page',
  },
  DatabasePoolExhausted: {
    watches: own('databasePoolTimeouts'),
    statistic: 'Sum',
    comparison: '>',
    threshold: fixed(0),
    forSeconds: 60,
    periodSeconds: 60,
    missingData: 'notBreaching',
    target: '0 timeouts',
    impact: 'calls fail because no database connection was free; the next pool step is 20 + 30',
    reaction: 'page',
  },
  CallsPastLimit: {
    watches: own('longCalls'),
    statistic: 'Sum',
    comparison: '>',
    threshold: fixed(10),
    forSeconds: 300,
    periodSeconds: 300,
    missingData: 'notBreaching',
    target: 'no non-streaming call past 300 s',
    impact: 'clients that do not stream get a timeout error',
    reaction: 'ticket',
  },
  LimiterDegraded: {
    watches: own('limiterDegraded'),
    statistic: 'Maximum',
    comparison: '>',
    threshold: fixed(0),
    forSeconds: 60,
    periodSeconds: 10,
    missingData: 'notBreaching',
    target: 'shared limits in use',
    impact:
      'Redis is unreachable: every task limits itself to its smallest share, throughput falls',
    reaction: 'page',
  },
} as const satisfies Record<string, AlarmDefinition>;
