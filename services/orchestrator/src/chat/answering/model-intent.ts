import { randomBytes, randomUUID } from 'node:crypto';
import type { Gateway } from '../../gateway/gateway';
import { intentIn, intentPrompt } from './core/intent-prompt';
import type { IntentReader } from './ports';

/** The model gave no label, or was not to be had; its own breakers and limits know why. */
class UnclassifiedError extends Error {
  override readonly name = 'UnclassifiedError';
}

/** Where an environment has no classifier: the small model, over the fixed label set. */
export function createModelIntent(gateway: Pick<Gateway, 'complete'>): IntentReader {
  return async (text, signal, caller) => {
    const request = intentPrompt(text, randomBytes(12).toString('hex'));
    const requestId = `intent-${randomUUID()}`;
    const outcome = await gateway.complete({ requestId, caller, request, signal });
    if (outcome.kind === 'refused') throw new UnclassifiedError(outcome.refusal.reason);
    const reply = outcome.answer.answer.blocks
      .map((block) => (block.type === 'text' ? block.text : ''))
      .join('');
    const intent = intentIn(reply);
    if (intent === undefined) throw new UnclassifiedError('the model named no single label');
    return intent;
  };
}
