import { randomUUID } from 'node:crypto';
import { HEADERS, PATHS } from '@matsuri/contract';
import { DatabaseUnavailableError } from '@matsuri/database';
import { refusal } from '../core/openai/refusal/refusals';
import { toChatCompletion } from '../core/openai/reply/chat-completion';
import { pendingTaskBody, taskBody } from '../core/openai/reply/completion-task';
import type { ParsedChatRequest } from '../core/openai/request/parse-chat-request';
import type { GatewayCall, WholeAnswer } from '../gateway';
import { completionHead } from './completion-head';
import type { Exchange, ReplyHeaders } from './exchange';
import type { HttpOptions } from './http-options';

const POLL_AFTER_SECONDS = 1;
const STORE_RETRY_MS = 2_000;
const DRAIN_RETRY_MS = 1_000;

const NOT_KEPT = { 'cache-control': 'no-store' };
const POLL_LATER = { [HEADERS.retryAfter]: String(POLL_AFTER_SECONDS) };

/** Promises an answer that is fetched later: the promise is durable before it is given, the model is asked after. */
export async function respondAsync(
  exchange: Exchange,
  call: GatewayCall,
  { stream, style }: ParsedChatRequest,
  { completions, draining }: HttpOptions,
): Promise<void> {
  if (stream) {
    exchange.sendError(refusal('async-stream'));
    return;
  }
  // A process that ends would have to break its promise.
  if (draining()) {
    exchange.sendError(refusal('draining', { waitMs: DRAIN_RETRY_MS }));
    return;
  }
  const { requestId, caller, request } = call;
  const { tenantId, userId, tokenId } = caller;
  const taskId = randomUUID();
  try {
    const { model: requestedModel } = request;
    const task = { taskId, tenantId, userId, tokenId, requestId, requestedModel };
    await completions.tasks.begin(task);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    exchange.sendError(refusal('ledger-unavailable', { waitMs: STORE_RETRY_MS }));
    return;
  }
  const render = ({ answer, servedBy }: WholeAnswer): string =>
    JSON.stringify(toChatCompletion(answer, { ...completionHead(servedBy.target.profile), style }));
  completions.runner.start({ taskId, call: { requestId, caller, request }, render });
  exchange.sendJson(202, pendingTaskBody(taskId), {
    ...NOT_KEPT,
    ...POLL_LATER,
    [HEADERS.location]: `${PATHS.chatCompletions}/${taskId}`,
    [HEADERS.preferenceApplied]: 'respond-async',
  });
}

/** `GET /v1/chat/completions/{task_id}`: how far it is, or what came of it. */
export async function showCompletionTask(
  exchange: Exchange,
  taskId: string,
  options: HttpOptions,
): Promise<void> {
  const signedIn = await options.signIn(exchange.incoming);
  if (!signedIn.ok) {
    exchange.sendError(signedIn.error);
    return;
  }
  try {
    const task = await options.completions.tasks.find(signedIn.token, taskId);
    if (!task) {
      exchange.sendError(refusal('task-not-found', { subject: taskId }));
      return;
    }
    const more: ReplyHeaders = {
      ...NOT_KEPT,
      ...(task.status === 'pending' && POLL_LATER),
      ...(task.status === 'completed' && { [HEADERS.servedBy]: task.servedBy }),
    };
    exchange.sendJson(200, taskBody(task), more);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    exchange.sendError(refusal('tasks-unavailable', { waitMs: STORE_RETRY_MS }));
  }
}
