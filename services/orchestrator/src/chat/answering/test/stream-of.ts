import type { ModelEvent } from '../../../gateway/core/model-event';
import type { StreamedAnswer } from '../../../gateway/gateway';

/** An answer that a model gives in these words, and then ends or fails. */
export function streamOf(words: readonly string[], failure?: Error): StreamedAnswer {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    servedBy: { target: { profile: 'p', region: 'r' }, name: 'p@r' },
    limits: {},
    events: said(words, failure),
    usage: Promise.resolve({ usage, estimated: false, costMicroUsd: 1 }),
  };
}

async function* said(
  words: readonly string[],
  failure: Error | undefined,
): AsyncGenerator<readonly ModelEvent[]> {
  for (const text of words) {
    await Promise.resolve();
    yield [{ type: 'text', index: 0, text }];
  }
  if (failure) throw failure;
}
