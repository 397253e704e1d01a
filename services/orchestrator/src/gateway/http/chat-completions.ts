import { HEADERS } from '@matsuri/contract';
import { toChatCompletion } from '../core/openai/reply/chat-completion';
import type { ParsedChatRequest } from '../core/openai/request/parse-chat-request';
import { prefersAsync } from '../core/respond-async';
import type { GatewayCall } from '../gateway';
import { answerStreaming } from './answer-streaming';
import { callerOf } from './caller';
import { completionHead } from './completion-head';
import { header, type Exchange } from './exchange';
import type { HttpOptions } from './http-options';
import { readChatRequest } from './read-chat-request';
import { renderRefusal } from './render-refusal';
import { answerHeaders } from './reply-headers';
import { respondAsync } from './respond-async';

/** `POST /v1/chat/completions`, up to the moment the client has its answer or has gone. */
export async function chatCompletions(exchange: Exchange, options: HttpOptions): Promise<void> {
  const signedIn = await options.signIn(exchange.incoming);
  if (!signedIn.ok) {
    exchange.sendError(signedIn.error);
    return;
  }
  // Known before the body is: a full house turns callers away without reading what they bring.
  const full = options.gateway.refuseWhenFull();
  if (full) {
    exchange.sendError(renderRefusal(full));
    return;
  }
  const parsed = await readChatRequest(exchange, options);
  if (!parsed.ok) {
    if (parsed.error) exchange.sendError(parsed.error);
    return;
  }
  options.onCall();
  exchange.model = parsed.request.model;
  const call = {
    requestId: exchange.requestId,
    caller: callerOf(signedIn.token, options),
    request: parsed.request,
    signal: exchange.departed,
  };
  if (prefersAsync(header(exchange.incoming, HEADERS.prefer))) {
    await respondAsync(exchange, call, parsed, options);
  } else if (parsed.stream) await answerStreaming(exchange, call, parsed, options);
  else await answerWhole(exchange, call, parsed, options);
}

async function answerWhole(
  exchange: Exchange,
  call: GatewayCall,
  { style }: ParsedChatRequest,
  { gateway }: HttpOptions,
): Promise<void> {
  const outcome = await gateway.complete(call);
  if (outcome.kind === 'refused') {
    exchange.sendError(renderRefusal(outcome.refusal));
    return;
  }
  const { answer, servedBy } = outcome.answer;
  const completion = toChatCompletion(answer, {
    ...completionHead(servedBy.target.profile),
    style,
  });
  exchange.sendJson(200, JSON.stringify(completion), answerHeaders(outcome.answer));
}
