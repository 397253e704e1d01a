import type { OpenAiError } from '../refusal/open-ai-error';
import { refusal } from '../refusal/refusals';

/** A completion that is fetched later, as it is told to its caller. */
export type TaskView = {
  readonly taskId: string;
  readonly requestedModel: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
} & (
  | { readonly status: 'pending' | 'lost' }
  /** The body of the answer, as JSON. */
  | { readonly status: 'completed'; readonly result: string }
  /** What `taskError` made. */
  | { readonly status: 'failed'; readonly error: string }
);

/** Why a task has no answer, as JSON: OpenAI's error, and the status the same request would have been refused with. */
export function taskError({ error, status }: OpenAiError): string {
  return JSON.stringify({ ...error, status });
}

/** What a promise is answered with. */
export function pendingTaskBody(taskId: string): string {
  return JSON.stringify({ task_id: taskId, status: 'pending' });
}

/** The body of a poll. Results may be long: they are passed on as they are stored. */
export function taskBody(task: TaskView): string {
  const head = {
    task_id: task.taskId,
    object: 'chat.completion.task',
    status: task.status === 'lost' ? 'failed' : task.status,
    model: task.requestedModel,
    created: seconds(task.createdAt),
    expires_at: seconds(task.expiresAt),
  };
  const rest = endingOf(task);
  return rest === '' ? JSON.stringify(head) : `${JSON.stringify(head).slice(0, -1)},${rest}}`;
}

function endingOf(task: TaskView): string {
  switch (task.status) {
    case 'pending':
      return '';
    case 'completed':
      return `"result":${task.result}`;
    case 'failed':
      return `"error":${task.error}`;
    case 'lost':
      return `"error":${taskError(refusal('task-lost', { subject: task.requestedModel }))}`;
  }
}

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1_000);
