import { randomUUID } from 'node:crypto';
import { createCompletionTasks } from '../src';
import type { CompletionTasks, CompletionTasksOptions, Ledger, NewCompletionTask } from '../src';
import { eventually } from './eventually';
import { setStage } from './stage';
import type { Stage } from './stage';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());

jest.setTimeout(30_000);

const OWNER = { tenantId: 'acme', userId: 'alice' };
const LEASE_MS = 400;

const aTask = (changes: Partial<NewCompletionTask> = {}): NewCompletionTask => ({
  ...OWNER,
  taskId: randomUUID(),
  tokenId: randomUUID(),
  requestId: 'request-1',
  requestedModel: 'simple',
  ...changes,
});

/** Tasks of a process that says it lives. */
async function openTasks(
  options: Partial<CompletionTasksOptions> = {},
): Promise<{ tasks: CompletionTasks; ledger: Ledger }> {
  const ownerId = randomUUID();
  const ledger = stage.openLedger({ instanceId: ownerId, leaseMs: LEASE_MS });
  await eventually(async () => {
    const owner = { text: 'SELECT FROM ledger_owners WHERE instance_id = $1', values: [ownerId] };
    expect(await stage.pool.query(owner)).toHaveLength(1);
  });
  const tasks = createCompletionTasks({
    pool: stage.pool,
    ownerId,
    leaseMs: LEASE_MS,
    maxPendingMs: 60_000,
    retentionMs: 60_000,
    ...options,
  });
  return { tasks, ledger };
}

const COMPLETED = { status: 'completed', result: '{"a":1}', servedBy: 'model@region' } as const;
const FAILED = { status: 'failed', error: '{"message":"no"}' } as const;

test('a task pends, ends once, and is there for its user alone', async () => {
  const { tasks } = await openTasks();
  const task = aTask();
  await tasks.begin(task);
  expect(await tasks.find(OWNER, task.taskId)).toMatchObject({
    status: 'pending',
    requestedModel: 'simple',
  });
  expect(await tasks.finish(task.taskId, COMPLETED)).toBe('finished');
  expect(await tasks.finish(task.taskId, FAILED)).toBe('ended-before');
  expect(await tasks.find(OWNER, task.taskId)).toMatchObject(COMPLETED);

  expect(await tasks.find({ ...OWNER, tenantId: 'globex' }, task.taskId)).toBeUndefined();
  expect(await tasks.find({ ...OWNER, userId: 'bob' }, task.taskId)).toBeUndefined();
  expect(await tasks.find(OWNER, randomUUID())).toBeUndefined();
  expect(await tasks.find(OWNER, "' OR true --")).toBeUndefined();
});

test('of many endings at once, in one batch and in several, one holds', async () => {
  const { tasks } = await openTasks();
  const task = aTask();
  await tasks.begin(task);
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      tasks.finish(task.taskId, { ...COMPLETED, result: String(n) }),
    ),
  );
  // Those of one batch are one statement: they hear that it ended with theirs.
  expect(outcomes).toContain('finished');
  expect(outcomes).toContain('ended-before');
  const first = await tasks.find(OWNER, task.taskId);
  await tasks.finish(task.taskId, FAILED);
  expect(await tasks.find(OWNER, task.taskId)).toEqual(first);
});

test('what a model says comes back to the letter', async () => {
  const { tasks } = await openTasks();
  const task = aTask();
  const result = JSON.stringify({ text: 'a\u0000b\ud800 \u2028 日本語 \\u0000' });
  await tasks.begin(task);
  await tasks.finish(task.taskId, { ...COMPLETED, result });
  expect(await tasks.find(OWNER, task.taskId)).toMatchObject({ result });
});

test('a task whose process is gone is lost, once and for all', async () => {
  const dying = await openTasks();
  const task = aTask();
  await dying.tasks.begin(task);
  await dying.ledger.close();
  const judge = await openTasks();
  await eventually(async () => {
    expect(await judge.tasks.find(OWNER, task.taskId)).toMatchObject({ status: 'lost' });
  });
  expect(await dying.tasks.finish(task.taskId, COMPLETED)).toBe('ended-before');
  expect(await judge.tasks.find(OWNER, task.taskId)).toMatchObject({ status: 'lost' });
});

test('whoever has only just begun to beat does not judge: the owner may have been cut off with it', async () => {
  const gone = await openTasks({ leaseMs: 60_000 });
  const task = aTask();
  await gone.tasks.begin(task);
  await gone.ledger.close();
  const judge = await openTasks({ leaseMs: 60_000 });
  const anHourAgo = async (table: string, column: string): Promise<void> => {
    await stage.pool.query({ text: `UPDATE ${table} SET ${column} = now() - interval '1 hour'` });
  };
  await anHourAgo('completion_tasks', 'created_at');
  expect(await judge.tasks.find(OWNER, task.taskId)).toMatchObject({ status: 'pending' });
  expect(await judge.tasks.sweep()).toMatchObject({ lost: 0 });
  await anHourAgo('ledger_owners', 'beating_since');
  expect(await judge.tasks.find(OWNER, task.taskId)).toMatchObject({ status: 'lost' });
});

test('a task of a living process is not touched, however long it takes, but for its deadline', async () => {
  const { tasks } = await openTasks();
  const other = await openTasks({ maxPendingMs: 1_500 });
  const [patient, overdue] = [aTask(), aTask()];
  await tasks.begin(patient);
  await other.tasks.begin(overdue);
  await eventually(async () => {
    expect(await tasks.find(OWNER, overdue.taskId)).toMatchObject({ status: 'lost' });
  });
  expect(await tasks.find(OWNER, patient.taskId)).toMatchObject({ status: 'pending' });
  expect(await other.tasks.find(OWNER, patient.taskId)).toMatchObject({ status: 'pending' });
});

test('a sweep loses what the dead left and takes away what has expired', async () => {
  const dying = await openTasks();
  const orphan = aTask();
  await dying.tasks.begin(orphan);
  await dying.ledger.close();
  const brief = await openTasks({ retentionMs: 1 });
  const ended = aTask();
  await brief.tasks.begin(ended);
  await brief.tasks.finish(ended.taskId, FAILED);
  await eventually(async () => {
    expect(await brief.tasks.find(OWNER, ended.taskId)).toBeUndefined();
  });

  await eventually(async () => {
    expect((await brief.tasks.sweep()).lost).toBe(1);
  });
  const left = await stage.pool.query({
    text: 'SELECT task_id, status::text FROM completion_tasks WHERE task_id = ANY ($1)',
    values: [[orphan.taskId, ended.taskId]],
  });
  expect(left).toEqual([{ task_id: orphan.taskId, status: 'lost' }]);
});

test('a crowd that polls takes one connection', async () => {
  const pool = stage.openPool({ maxConnections: 3 });
  const { tasks } = await openTasks({ pool });
  const task = aTask();
  await tasks.begin(task);
  await Promise.all(Array.from({ length: 300 }, () => tasks.find(OWNER, task.taskId)));
  const { active, idle } = pool.figures();
  expect(active + idle).toBe(1);
});
