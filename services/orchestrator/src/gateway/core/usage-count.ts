import type { TokenUsage } from '@matsuri/contract';
import type { ModelEvent } from './model-event';

/** What is known of an answer's usage while it is being given. */
export interface UsageCount {
  /** Pieces of output that came: at least one token each. */
  deltas: number;
  stopped: boolean;
  /** The model's own figures, which come last or never. */
  told: TokenUsage | undefined;
}

export function newUsageCount(): UsageCount {
  return { deltas: 0, stopped: false, told: undefined };
}

export function countEvents(count: UsageCount, events: readonly ModelEvent[]): void {
  for (const event of events) {
    switch (event.type) {
      case 'text':
      case 'thinking':
        if (event.text !== '') count.deltas++;
        break;
      case 'tool-input':
        if (event.json !== '') count.deltas++;
        break;
      case 'stop':
        count.stopped = true;
        break;
      case 'usage':
        count.told = event.usage;
        break;
      case 'start':
      case 'tool-start':
      case 'block-stop':
        break;
    }
  }
}

/** Usage as the ledger records it. */
export interface RecordedUsage {
  readonly usage: TokenUsage;
  /** The model never told: input as estimated for the reservation, output as counted. */
  readonly estimated: boolean;
}

/**
 * Exact where the model finished and told, else what can be known of a broken or abandoned answer. Figures told on the
 * way are not the last word.
 */
export function recordedUsage(count: UsageCount, estimatedInputTokens: number): RecordedUsage {
  if (count.told && count.stopped) return { usage: count.told, estimated: false };
  const usage = {
    inputTokens: estimatedInputTokens,
    outputTokens: count.deltas,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  };
  return { usage, estimated: true };
}
