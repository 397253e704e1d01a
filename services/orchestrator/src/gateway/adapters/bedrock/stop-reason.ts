import type { StopReason } from '../../core/model-event';
import { stringMember } from './json-member';

const STOP_REASONS: ReadonlyMap<string | undefined, StopReason> = new Map([
  ['end_turn', 'end'],
  ['max_tokens', 'max-tokens'],
  ['model_context_window_exceeded', 'max-tokens'],
  ['stop_sequence', 'stop-sequence'],
  ['tool_use', 'tool-use'],
  ['content_filtered', 'filtered'],
  ['guardrail_intervened', 'filtered'],
]);

/** Why an answer ended; a reason that is new to us is an ordinary end. */
export function readStopReason(holder: unknown): StopReason {
  return STOP_REASONS.get(stringMember(holder, 'stopReason')) ?? 'end';
}
