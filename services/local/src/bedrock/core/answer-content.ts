import type { GeneratedBlock } from './answer-blocks';
import type { Generation } from './generation';
import { signReasoning } from './reasoning-signature';

/** The content of an answer as a whole message carries it. */
export function messageContent({ blocks }: Generation): object[] {
  return blocks.map((block) => {
    const words = block.tokens.join('');
    switch (block.kind) {
      case 'text':
        return { text: words };
      case 'reasoning':
        return {
          reasoningContent: { reasoningText: { text: words, signature: signReasoning(words) } },
        };
      case 'toolUse':
        return {
          toolUse: { toolUseId: block.toolUseId, name: block.name, input: toolInput(words) },
        };
    }
  });
}

/** The text (not the thoughts, not the tool input) among the first `tokens` tokens of an answer. */
export function textOfFirst({ blocks }: Generation, tokens: number): string {
  let left = tokens;
  let text = '';
  for (const block of blocks) {
    if (block.kind === 'text') text += wordsOf(block, left);
    left -= Math.min(left, block.tokens.length);
  }
  return text;
}

function wordsOf({ tokens }: GeneratedBlock, limit: number): string {
  return limit >= tokens.length ? tokens.join('') : tokens.slice(0, limit).join('');
}

/** An input cut short by the token limit is no JSON; the whole message then carries an empty one. */
function toolInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
