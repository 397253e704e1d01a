import { refusal } from '../refusal/refusals';
import { pendingTaskBody, taskBody, taskError, type TaskView } from './completion-task';

const FACTS = {
  taskId: 'task-1',
  requestedModel: 'simple',
  createdAt: new Date(1_000_999),
  expiresAt: new Date(2_000_000),
};
const HEAD = {
  task_id: 'task-1',
  object: 'chat.completion.task',
  model: 'simple',
  created: 1_000,
  expires_at: 2_000,
};

const told = (task: TaskView): unknown => JSON.parse(taskBody(task));

test('a promise names the task', () => {
  expect(JSON.parse(pendingTaskBody('task-1'))).toEqual({ task_id: 'task-1', status: 'pending' });
});

test('a task is told with what came of it', () => {
  expect(told({ ...FACTS, status: 'pending' })).toEqual({ ...HEAD, status: 'pending' });
  expect(told({ ...FACTS, status: 'completed', result: '{"id":"x","n":[1]}' })).toEqual({
    ...HEAD,
    status: 'completed',
    result: { id: 'x', n: [1] },
  });
  const error = taskError(refusal('requests-limited', { subject: 'simple', waitMs: 1_000 }));
  expect(told({ ...FACTS, status: 'failed', error })).toMatchObject({
    status: 'failed',
    error: { code: 'rate_limit_exceeded', type: 'requests', param: null, status: 429 },
  });
});

test('one whose process died has failed, and says that it may have cost something', () => {
  const body = told({ ...FACTS, status: 'lost' });
  expect(body).toMatchObject({ status: 'failed', error: { code: 'task_lost', status: 500 } });
  expect(JSON.stringify(body)).toContain('may be charged');
});
