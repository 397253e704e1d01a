import { steady, tinyWorkload } from '../../../test/tiny-workloads';
import { sceneOf } from '../platform/scene';
import { simulate } from '../platform/simulate';
import { oracleOutcome } from '../suite/suite-run';
import { POLICIES, type PolicyName } from './policies';

const STARTUP_SECONDS = 50;

/** 200 in flight for ten minutes, 600 for ten, 200 again; ten slots a task. */
const workload = tinyWorkload({
  arrivals: [...steady(50, 900), ...steady(150, 600), ...steady(50, 1_500)],
  serviceSeconds: 4,
  slotsPerTask: 10,
  unscoredSeconds: 300,
});
const scene = sceneOf(workload, { startUp: { seconds: STARTUP_SECONDS } });

/** Tasks running in each second. */
function runningTasks(policy: PolicyName): number[] {
  const running: number[] = [];
  simulate(scene, POLICIES[policy](scene), (second, _queue, fleet) => {
    running[second] = fleet.running;
  });
  return running;
}

test('the oracle lets nobody wait, has its tasks when they are needed and no task more', () => {
  const running = runningTasks('oracle');
  expect(oracleOutcome(scene)).toMatchObject({ late: 0, dropped: 0 });
  expect([running[880], running[905], running[1_490], running[1_600]]).toEqual([20, 60, 60, 20]);
});

test('no policy that lets nobody wait is cheaper than the oracle', () => {
  const { taskHours } = oracleOutcome(scene);
  for (const policy of Object.keys(POLICIES) as PolicyName[]) {
    const outcome = simulate(scene, POLICIES[policy](scene));
    if (outcome.late + outcome.dropped > 0) continue;
    expect(outcome.taskHours).toBeGreaterThanOrEqual(taskHours);
  }
});

test('static peak never moves', () => {
  expect(new Set(runningTasks('static_peak').slice(300))).toEqual(new Set([60]));
});

test('the processor of an I/O-bound service asks for half of what is needed', () => {
  expect(runningTasks('cpu').at(-1)).toBeLessThanOrEqual(10);
});

test('who knows the future knows how long each task takes, and lets nobody wait for one', () => {
  const varied = sceneOf(workload, { startUp: { seconds: STARTUP_SECONDS, spreadSeed: 7 } });
  expect(simulate(varied, POLICIES.oracle(varied))).toEqual(
    simulate(scene, POLICIES.oracle(scene)),
  );
  expect(simulate(varied, POLICIES.keda(varied))).not.toEqual(
    simulate(scene, POLICIES.keda(scene)),
  );
});

test.each(['ours', 'source'] as const)('%s acts later on metrics that come later', (policy) => {
  const late = sceneOf(workload, { startUp: { seconds: STARTUP_SECONDS }, metricDelaySeconds: 10 });
  const risesAt = (of: typeof scene) => {
    const desired: number[] = [];
    simulate(of, POLICIES[policy](of), (second, _queue, fleet) => {
      desired[second] = fleet.desired;
    });
    const before = desired[900] ?? 0;
    return desired.findIndex((tasks, second) => second > 900 && tasks > before + 5);
  };
  expect(risesAt(late)).toBeGreaterThan(risesAt(scene));
});

test('Knative panics on a step, and gives nothing back for a minute', () => {
  const running = runningTasks('knative');
  expect(running[900 + 6 + STARTUP_SECONDS]).toBeGreaterThan(30);
  expect(Math.max(...running.slice(900, 1_100))).toBeGreaterThanOrEqual(86);
  expect(running[1_490]).toBe(86);
});

test('KEDA gives nothing back for five minutes, then all at once', () => {
  const running = runningTasks('keda');
  const before = running[1_490] ?? 0;
  expect(running[1_500 + 290]).toBe(before);
  expect(running[1_500 + 330]).toBe(29);
});

test('the published algorithm adds tasks in every cycle, and keeps them at half use', () => {
  const running = runningTasks('source');
  expect(Math.max(...running)).toBeGreaterThan(100);
  expect(running.at(-1)).toBeGreaterThan(40);
});

test('ours gives back a tenth at a time, and nothing for five minutes after it added', () => {
  const desired: number[] = [];
  simulate(scene, POLICIES.ours(scene), (second, _queue, fleet) => {
    desired[second] = fleet.desired;
  });
  let addedAt = 0;
  desired.forEach((tasks, second) => {
    const before = desired[second - 1] ?? tasks;
    if (tasks > before) addedAt = second;
    // The native steps give back single tasks, at their own pace.
    if (tasks >= before - 1) return;
    expect(second - addedAt).toBeGreaterThanOrEqual(300);
    expect(before - tasks).toBeLessThanOrEqual(Math.floor(before / 10) + 1);
  });
  expect(desired.at(-1)).toBeLessThan(Math.max(...desired) / 2);
});

test.each(Object.keys(POLICIES) as PolicyName[])('%s does the same when asked again', (policy) => {
  const run = () => simulate(scene, POLICIES[policy](scene));
  expect(run()).toEqual(run());
});
