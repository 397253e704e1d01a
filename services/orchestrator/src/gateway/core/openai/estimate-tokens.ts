import type { ContentBlock, ModelRequest, SystemBlock, ToolOffer } from '../model-request';
import { estimateTextTokens } from './estimate-text-tokens';

/** Roles and separators of a message, and the frame of a block that is not text. */
const TOKENS_PER_MESSAGE = 8;
const TOKENS_PER_BLOCK = 32;
/** Larger images are scaled down before a model sees them: none costs more. */
const TOKENS_PER_IMAGE = 1_600;
/** The hidden instructions a model gets as soon as tools are offered. */
const TOKENS_FOR_TOOL_USE = 600;

/** Input tokens of a request for a reservation: rather too many than too few, settled by the real count. */
export function estimateInputTokens(request: ModelRequest): number {
  let tokens = estimateSystemTokens(request.system) + estimateToolTokens(request.tools);
  for (const { content } of request.messages) {
    tokens += TOKENS_PER_MESSAGE;
    for (const block of content) tokens += tokensOfBlock(block);
  }
  return tokens;
}

export function estimateSystemTokens(system: readonly SystemBlock[]): number {
  return system.reduce((tokens, block) => tokens + tokensOfBlock(block), 0);
}

export function estimateToolTokens(offer: ToolOffer | undefined): number {
  if (offer === undefined) return 0;
  return offer.tools.reduce(
    (tokens, tool) => tokens + TOKENS_PER_BLOCK + estimateTextTokens(JSON.stringify(tool)),
    TOKENS_FOR_TOOL_USE,
  );
}

function tokensOfBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return estimateTextTokens(block.text);
    case 'image':
      return TOKENS_PER_IMAGE;
    case 'tool-use':
      return (
        TOKENS_PER_BLOCK +
        estimateTextTokens(`${block.id} ${block.name} ${JSON.stringify(block.input)}`)
      );
    case 'tool-result':
      return TOKENS_PER_BLOCK + estimateTextTokens(block.text);
    case 'cache-point':
      return 0;
  }
}
