import type { Request, Response } from '../wire/listen';
import type { Cluster } from './cluster';
import type { Task } from './core/task';
import type { Arns } from './present';
import { TASK_ADDRESS } from './target-registration';

/** The path below which a task finds out about itself. */
export function metadataPath(taskId: string): string {
  return `/v4/${taskId}`;
}

/** Answers the task metadata endpoint, version 4; false for any other request. */
export function answerMetadata(
  request: Request,
  response: Response,
  cluster: Cluster,
  arns: Arns,
): boolean {
  const [, version, id = '', part] = (request.url ?? '').split('/');
  if (request.method !== 'GET' || version !== 'v4') return false;
  const task = cluster.task(id)?.current();
  response.statusCode = task === undefined ? 404 : 200;
  response.setHeader('content-type', 'application/json');
  const found = task === undefined ? { error: 'No such task' } : describe(task, part, arns);
  response.end(JSON.stringify(found));
  return true;
}

function describe(task: Task, part: string | undefined, arns: Arns): unknown {
  const container = {
    DockerId: task.id,
    Name: task.definition.containerName,
    KnownStatus: task.lastStatus,
    DesiredStatus: task.desiredStatus,
    Networks: [{ NetworkMode: 'awsvpc', IPv4Addresses: [TASK_ADDRESS] }],
  };
  if (part !== 'task') return container;
  return {
    Cluster: arns.cluster,
    TaskARN: arns.task(task.id),
    Family: task.definition.family,
    Revision: String(task.definition.revision),
    DesiredStatus: task.desiredStatus,
    KnownStatus: task.lastStatus,
    ServiceName: task.group.startsWith('service:')
      ? task.group.slice('service:'.length)
      : undefined,
    LaunchType: 'FARGATE',
    Containers: [container],
  };
}
