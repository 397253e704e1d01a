import { randomUUID } from 'node:crypto';
import type { ModelCatalogue } from '@matsuri/contract';
import type { BedrockCaller } from '../../../gateway/adapters/bedrock/bedrock-caller';
import { ModelCallError } from '../../../gateway/ports';
import type { Embedder } from '../ports';

const LONGEST_TEXT = 2_000;

/** Embeds questions by the alias `embed`. */
export function createBedrockEmbedder(
  bedrock: Pick<BedrockCaller, 'embed'>,
  { aliases }: ModelCatalogue,
): Embedder {
  const [target] = aliases.embed;
  return async (text, signal) => {
    if (!target) throw new ModelCallError('misconfigured', 'The alias embed names no target.');
    const short = text.slice(0, LONGEST_TEXT).toWellFormed();
    const { vectors } = await bedrock.embed(target, [short], { attemptId: randomUUID(), signal });
    return vectors[0] ?? [];
  };
}
