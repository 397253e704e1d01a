import fc from 'fast-check';

import { afterTaskEnded, planService } from './service-plan';
import type { Service } from './service-plan';
import { ended, listedAt, newTask } from './task';
import type { Task } from './task';
import { taskDefinition } from './task-definition';

const definition = taskDefinition({ family: 'orchestrator', command: ['node'] }, 1);

const service: Service = {
  name: 'chat',
  desiredCount: 3,
  targetGroupArn: undefined,
  deployments: [
    { id: 'new', definition, createdAtMs: 10 },
    { id: 'old', definition, createdAtMs: 0 },
  ],
  healthCheckGraceMs: 0,
  createdAtMs: 0,
  failedStarts: 0,
  retryAtMs: 0,
};

let ids = 0;
function task(startedBy: 'new' | 'old', lastStatus: Task['lastStatus'], createdAtMs = 0): Task {
  ids += 1;
  const wanted = { id: `t${ids}`, definition, startedBy, group: 'g', environment: {}, tags: [] };
  return { ...newTask(wanted, createdAtMs), lastStatus };
}

const isReady = ({ lastStatus }: Task): boolean => lastStatus === 'RUNNING';
const plan = (tasks: readonly Task[], overrides: Partial<Service> = {}, nowMs = 0) =>
  planService({ ...service, ...overrides }, tasks, isReady, nowMs);
const many = (count: number, make: () => Task): Task[] => Array.from({ length: count }, make);

test('an empty service starts its desired count', () => {
  expect(plan([])).toEqual({ start: 3, stop: [] });
});

test('tasks on their way count, so nothing is started twice', () => {
  expect(plan(many(3, () => task('new', 'PENDING')))).toEqual({ start: 0, stop: [] });
});

test('a task that is ending is replaced at once', () => {
  const tasks = many(3, () => task('new', 'RUNNING'));
  const [first, ...rest] = tasks;
  const dying = first === undefined ? [] : [ended(first, 'UserInitiated', 'test', 0)];
  expect(plan([...dying, ...rest]).start).toBe(1);
});

test('scaling in ends tasks that do not serve yet, then the youngest', () => {
  const old = task('new', 'RUNNING', 1);
  const young = task('new', 'RUNNING', 2);
  const pending = task('new', 'PENDING', 0);
  expect(plan([old, young, pending], { desiredCount: 1 }).stop).toEqual([pending, young]);
});

test('a rollout starts a full new set before it ends an old task', () => {
  const old = many(3, () => task('old', 'RUNNING'));
  expect(plan(old)).toEqual({ start: 3, stop: [] });
  expect(plan([...old, ...many(3, () => task('new', 'PENDING'))])).toEqual({ start: 0, stop: [] });
  const half = [...old, task('new', 'RUNNING'), ...many(2, () => task('new', 'PENDING'))];
  expect(plan(half).stop).toHaveLength(1);
});

test('no more than twice the desired count runs', () => {
  const old = many(5, () => task('old', 'RUNNING'));
  expect(plan(old).start).toBe(1);
});

test('ready tasks never fall below the desired count by a plan, from whatever state', () => {
  const anyTask = fc.record({
    startedBy: fc.constantFrom('new' as const, 'old' as const),
    lastStatus: fc.constantFrom<Task['lastStatus'][]>('PENDING', 'RUNNING'),
    createdAtMs: fc.nat({ max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(anyTask, { maxLength: 12 }), fc.nat({ max: 5 }), (made, desiredCount) => {
      const tasks = made.map((m) => task(m.startedBy, m.lastStatus, m.createdAtMs));
      const { start, stop } = plan(tasks, { desiredCount });
      const readyBefore = tasks.filter(isReady).length;
      const readyAfter = tasks.filter((t) => isReady(t) && !stop.includes(t)).length;
      expect(readyAfter).toBeGreaterThanOrEqual(Math.min(readyBefore, desiredCount));
      expect(tasks.length - stop.length + start).toBeLessThanOrEqual(
        Math.max(2 * desiredCount, tasks.length),
      );
    }),
  );
});

test('tasks that keep failing to start are replaced ever more slowly, until one serves', () => {
  let failing = service;
  const waits = Array.from({ length: 6 }, () => {
    failing = afterTaskEnded(failing, false, 1_000);
    return failing.retryAtMs - 1_000;
  });

  expect(waits).toEqual([0, 0, 10_000, 20_000, 40_000, 80_000]);
  expect(plan([], failing, 1_000).start).toBe(0);
  expect(plan([], failing, 81_000).start).toBe(3);
  expect(afterTaskEnded(failing, true, 1_000).retryAtMs).toBe(0);
});

test('a stale listing shows what was, not what is', () => {
  const early = task('new', 'RUNNING', 0);
  const late = task('new', 'RUNNING', 9_000);
  const gone = ended(task('new', 'RUNNING', 0), 'UserInitiated', 'test', 8_000);
  const tasks = [early, late, gone];

  expect(listedAt(tasks, 'RUNNING', 10_000)).toEqual([early, late]);
  expect(listedAt(tasks, 'RUNNING', 5_000)).toEqual([early, gone]);
  expect(listedAt(tasks, 'STOPPED', 10_000)).toEqual([gone]);
});
