import { randomBytes, randomUUID } from 'node:crypto';
import type { Gateway } from '../../gateway/gateway';
import { intentIn, intentPrompt } from './core/intent-prompt';
import type { IntentReader } from './ports';

/** Where an environment has no classifier: the small model, over the fixed label set. */
export function createModelIntent(gateway: Pick<Gateway, 'complete'>): IntentReader {
  return async (text, signal, caller) => {
    const request = intentPrompt(text, randomBytes(12).toString('hex'));
    const requestId = `intent-${randomUUID()}`;
    const outcome = await gateway.complete({ requestId, caller, request, signal });
    if (outcome.kind === 'refused') throw new Error(`not classified: ${outcome.refusal.reason}`);
    const reply = outcome.answer.answer.blocks
      .map((block) => (block.type === 'text' ? block.text : ''))
      .join('');
    const intent = intentIn(reply);
    if (intent === undefined) throw new Error('not classified: the model named no single label');
    return intent;
  };
}
