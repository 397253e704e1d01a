import type { ContentBlock, ModelMessage } from '../../model-request';

/**
 * Retells tool calls and their results. Converse takes tool blocks only where tools are offered, and cannot
 * be told to offer them and call none; told as text they stay known, and no tool can be called.
 */
export function toolHistoryAsText(turns: readonly ModelMessage[]): readonly ModelMessage[] {
  const names = new Map<string, string>();
  return turns.map(({ role, content }) => ({
    role,
    content: content.map((block) => retold(block, names)),
  }));
}

function retold(block: ContentBlock, names: Map<string, string>): ContentBlock {
  switch (block.type) {
    case 'tool-use':
      names.set(block.id, block.name);
      return { type: 'text', text: `[Called ${block.name} with ${JSON.stringify(block.input)}]` };
    case 'tool-result':
      return {
        type: 'text',
        text: `[Result of ${names.get(block.id) ?? 'a tool'}: ${block.text}]`,
      };
    case 'text':
    case 'image':
    case 'cache-point':
      return block;
  }
}
