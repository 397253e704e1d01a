import type { CachePoint, ContentBlock, ModelMessage, SystemBlock } from '../../core/model-request';

export interface ConverseMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly MessageContent[];
}

interface TextContent {
  readonly text: string;
}

interface CachePointContent {
  readonly cachePoint: { readonly type: 'default'; readonly ttl?: '1h' };
}

export type SystemContent = TextContent | CachePointContent;

type MessageContent =
  | SystemContent
  | { readonly image: { readonly format: string; readonly source: { readonly bytes: string } } }
  | { readonly toolUse: ToolUse }
  | { readonly toolResult: ToolResult };

interface ToolUse {
  readonly toolUseId: string;
  readonly name: string;
  readonly input: unknown;
}

interface ToolResult {
  readonly toolUseId: string;
  readonly content: readonly TextContent[];
  readonly status?: 'error';
}

/** System prompts for a model that can cache them or not. */
export function converseSystem(blocks: readonly SystemBlock[], canCache: boolean): SystemContent[] {
  return blocks.filter((block) => isSendable(block, canCache)).map(systemContent);
}

/** Messages for a model that can cache them or not. */
export function converseMessages(
  messages: readonly ModelMessage[],
  canCache: boolean,
): ConverseMessage[] {
  return messages.map(({ role, content }) => ({
    role,
    content: content.filter((block) => isSendable(block, canCache)).map(messageContent),
  }));
}

/** Bedrock refuses blank text, and cache points where there is no cache. */
function isSendable(block: ContentBlock | SystemBlock, canCache: boolean): boolean {
  if (block.type === 'text') return !isBlank(block.text);
  return block.type !== 'cache-point' || canCache;
}

function systemContent(block: SystemBlock): SystemContent {
  return block.type === 'text' ? { text: block.text } : cachePoint(block);
}

function messageContent(block: ContentBlock): MessageContent {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'cache-point':
      return cachePoint(block);
    case 'image':
      return { image: { format: block.format, source: { bytes: block.base64 } } };
    case 'tool-use':
      return { toolUse: { toolUseId: block.id, name: block.name, input: block.input } };
    case 'tool-result':
      return { toolResult: toolResult(block) };
  }
}

/** Five minutes are the default, and older models know no other. */
function cachePoint({ ttl }: CachePoint): CachePointContent {
  return { cachePoint: { type: 'default', ...(ttl === '1h' && { ttl }) } };
}

const NO_OUTPUT = '(no output)';

function toolResult(block: Extract<ContentBlock, { type: 'tool-result' }>): ToolResult {
  return {
    toolUseId: block.id,
    content: [{ text: isBlank(block.text) ? NO_OUTPUT : block.text }],
    ...(block.failed && { status: 'error' }),
  };
}

const NOT_BLANK = /\S/;

function isBlank(text: string): boolean {
  return !NOT_BLANK.test(text);
}
