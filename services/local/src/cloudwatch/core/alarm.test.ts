import { changeState, dueActions, judgeAlarm, newAlarm } from './alarm';
import type { Alarm, AlarmDefinition } from './alarm';
import { metricStore } from './metric-store';

const START = Date.UTC(2026, 10, 26, 12);
const metric = { namespace: 'MangaAssist', name: 'BedrockQueueDepth', dimensions: {} };
const POLICY = 'arn:aws:autoscaling:ap-northeast-1:000000000000:scalingPolicy:x';
const TOPIC = 'arn:aws:sns:ap-northeast-1:000000000000:pages';

const emergency: AlarmDefinition = {
  name: 'queue-emergency',
  queries: [
    {
      id: 'm',
      source: { kind: 'metric', metric, statistic: 'Maximum', periodMs: 10_000 },
      returnData: true,
    },
  ],
  periodMs: 10_000,
  comparison: 'GreaterThanThreshold',
  threshold: 200,
  evaluationPeriods: 3,
  datapointsToAlarm: 3,
  treatMissingData: 'missing',
  actionsEnabled: true,
  actions: { ALARM: [POLICY, TOPIC], OK: [], INSUFFICIENT_DATA: [] },
};

function depthFor(seconds: number, value: number): ReturnType<typeof metricStore> {
  const store = metricStore();
  for (let s = 0; s < seconds; s += 10) {
    store.put(
      [
        {
          ...metric,
          timestampMs: START + s * 1_000,
          storageResolutionSeconds: 1,
          samples: [{ value, count: 1 }],
        },
      ],
      START,
    );
  }
  return store;
}

test('a queue over its limit alarms after thirty seconds and not before', () => {
  const store = depthFor(60, 250);
  const judgeAt = (seconds: number): Alarm =>
    judgeAlarm(newAlarm(emergency, START), store, START + seconds * 1_000);

  expect(judgeAt(20).state).toBe('OK');
  expect(judgeAt(30)).toMatchObject({ state: 'ALARM', latestValue: 250 });
});

test('an alarm forgets its value when data stops', () => {
  const store = depthFor(30, 250);
  const alarmed = judgeAlarm(newAlarm(emergency, START), store, START + 30_000);
  const silent = judgeAlarm(alarmed, store, START + 300_000);

  expect(silent.state).toBe('INSUFFICIENT_DATA');
  expect(silent.latestValue).toBeUndefined();
});

test('every action hears of a change, scaling policies also once a minute after it', () => {
  const alarmed = changeState(newAlarm(emergency, START), 'ALARM', 'test', START);
  const acted = { ...alarmed, actedAtMs: START };
  const arns = (alarm: Alarm, nowMs: number): string[] =>
    dueActions(alarm, nowMs).map(({ actionArn }) => actionArn);

  expect(arns(alarmed, START)).toEqual([POLICY, TOPIC]);
  expect(arns(acted, START + 59_999)).toEqual([]);
  expect(arns(acted, START + 60_000)).toEqual([POLICY]);
});

test('a silenced alarm changes state without acting', () => {
  const silenced = newAlarm({ ...emergency, actionsEnabled: false }, START);
  expect(dueActions(changeState(silenced, 'ALARM', 'test', START), START)).toEqual([]);
});
