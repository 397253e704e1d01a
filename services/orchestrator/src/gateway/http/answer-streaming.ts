import type { PlatformConfiguration } from '@matsuri/contract';
import { errorBody } from '../core/openai/refusal/open-ai-error';
import { refusal } from '../core/openai/refusal/refusals';
import { createChunkTranslator, type ChunkTranslator } from '../core/openai/reply/chunk-translator';
import { sseEvent } from '../core/openai/reply/sse';
import type { ParsedChatRequest } from '../core/openai/request/parse-chat-request';
import type { GatewayCall, StreamedAnswer } from '../gateway';
import { completionHead } from './completion-head';
import { EventStream } from './event-stream';
import type { Exchange } from './exchange';
import type { HttpOptions } from './http-options';
import { renderRefusal } from './render-refusal';
import { answerHeaders } from './reply-headers';

/** A reader at a standstill is given up while the lease of its slot still has a third to run. */
function slowReaderMs({ slotLeaseSeconds }: PlatformConfiguration['gateway']): number {
  return (slotLeaseSeconds * 1_000 * 2) / 3;
}

/** Answers as a stream of server-sent events. */
export async function answerStreaming(
  exchange: Exchange,
  call: GatewayCall,
  parsed: ParsedChatRequest,
  { gateway, configuration }: HttpOptions,
): Promise<void> {
  const { heartbeatMs } = configuration.timeouts;
  const stream = new EventStream(exchange, {
    heartbeatMs,
    slowReaderMs: slowReaderMs(configuration.gateway),
  });
  const outcome = await gateway.open(call);
  if (outcome.kind === 'refused') {
    const error = renderRefusal(outcome.refusal);
    if (stream.begun) {
      stream.end(sseEvent(errorBody(error)));
    } else {
      stream.cancel();
      exchange.sendError(error);
    }
    return;
  }
  stream.begin(answerHeaders(outcome.answer));
  const { includeUsage, style } = parsed;
  const head = completionHead(outcome.answer.servedBy.target.profile);
  const translator = createChunkTranslator({ ...head, includeUsage, style });
  stream.end(await pass(outcome.answer, stream, translator));
}

/** Passes the answer on as it comes; what is returned closes the stream. */
async function pass(
  { events, usage, servedBy }: StreamedAnswer,
  stream: EventStream,
  translator: ChunkTranslator,
): Promise<string> {
  try {
    for await (const batch of events) {
      const text = translator.translate(batch);
      if (text !== '') await stream.write(text);
    }
  } catch {
    return translator.fail(refusal('answer-cut', { subject: servedBy.target.profile }));
  }
  const { usage: counted } = await usage;
  return translator.end(counted);
}
