import type { TargetHealthStateEnum } from '@aws-sdk/client-elastic-load-balancing-v2';
import { watchOwnTarget, type TargetWatch } from './target-watch';

type Seen = TargetHealthStateEnum | 'nothing' | 'refused';

let watch: TargetWatch | undefined;

afterEach(() => watch?.stop());

/** A balancer that says one thing after the other, then the last for ever. */
function watchWhile(states: Seen[]) {
  const problems: unknown[] = [];
  const looked: (() => void)[] = [];
  const send = (): Promise<object> => {
    const state = states.length > 1 ? states.shift() : states[0];
    for (const hear of looked.splice(0)) hear();
    if (state === 'refused') return Promise.reject(new Error('AccessDenied'));
    const described = state === 'nothing' ? [] : [{ TargetHealth: { State: state } }];
    return Promise.resolve({ TargetHealthDescriptions: described });
  };
  watch = watchOwnTarget({
    client: { send: send as never },
    target: { targetGroupArn: 'group', address: '10.0.0.1', port: 8080 },
    everyMs: 1,
    onProblem: (error) => problems.push(error),
  });
  const draining = jest.fn();
  void watch.draining.then(draining);
  const looks = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) await new Promise<void>((hear) => looked.push(hear));
  };
  return { watch, draining, problems, looks };
}

test('sees that it is drained', async () => {
  const { watch: it } = watchWhile(['initial', 'healthy', 'draining']);
  await it.draining;
  await it.whenUnrouted();
});

test('one that was there and is not any more was drained between two looks', async () => {
  await watchWhile(['healthy', 'unused']).watch.draining;
});

test('one that is not there yet is not drained, nor one that is unwell', async () => {
  const { draining, looks } = watchWhile(['unused', 'initial', 'unhealthy', 'healthy']);
  await looks(6);
  expect(draining).not.toHaveBeenCalled();
});

test('says when nothing is sent here any more, each time anew', async () => {
  const states: Seen[] = ['healthy', 'unhealthy'];
  const { watch: it, looks } = watchWhile(states);
  await it.whenUnrouted();
  states[0] = 'healthy';
  await looks(2);
  const unrouted = jest.fn();
  void it.whenUnrouted().then(unrouted);
  await looks(2);
  expect(unrouted).not.toHaveBeenCalled();
  states[0] = 'unhealthy';
  await looks(2);
  expect(unrouted).toHaveBeenCalled();
});

test('a balancer that does not answer is complained of once, and asked on', async () => {
  const { watch: it, problems } = watchWhile([
    'refused',
    'refused',
    'nothing',
    'healthy',
    'draining',
  ]);
  await it.draining;
  expect(problems).toHaveLength(1);
});
