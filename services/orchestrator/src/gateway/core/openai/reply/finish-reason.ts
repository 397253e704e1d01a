import type { StopReason } from '../../model-event';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Why an answer ended, in OpenAI's words. A tool use that was only a way to answer is no tool call. */
export function finishReason(reason: StopReason, calledTools: boolean): FinishReason {
  switch (reason) {
    case 'end':
    case 'stop-sequence':
      return 'stop';
    case 'max-tokens':
      return 'length';
    case 'tool-use':
      return calledTools ? 'tool_calls' : 'stop';
    case 'filtered':
      return 'content_filter';
  }
}
