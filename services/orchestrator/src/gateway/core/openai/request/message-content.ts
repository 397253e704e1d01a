import type { CachePoint, ContentBlock, TextBlock } from '../../model-request';
import type {
  AssistantMessage,
  ImagePart,
  TextContent,
  TextPart,
  UserContent,
} from './chat-request-schema';
import { readImage } from './image';

/** Cache points last as long as the cheapest write does; every read prolongs them. */
export const CACHE_POINT: CachePoint = { type: 'cache-point', ttl: '5m' };

/** Text as blocks, blank text left out: models refuse a block that says nothing. */
function textBlocks(text: string): TextBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

export function contentOfInstruction(content: TextContent): (TextBlock | CachePoint)[] {
  if (typeof content === 'string') return textBlocks(content);
  return content.flatMap((part) => marked(part, textBlocks(part.text)));
}

export function contentOfUser(content: UserContent, param: string): ContentBlock[] {
  if (typeof content === 'string') return textBlocks(content);
  return content.flatMap((part, index): ContentBlock[] =>
    part.type === 'text'
      ? marked(part, textBlocks(part.text))
      : marked(part, [readImage(part.image_url.url, `${param}[${index}].image_url.url`)]),
  );
}

/** What the assistant said, a refusal included; its tool calls are read elsewhere. */
export function contentOfAssistant({ content, refusal }: AssistantMessage): ContentBlock[] {
  if (content === null || content === undefined) return textBlocks(refusal ?? '');
  if (typeof content === 'string') return textBlocks(content);
  return content.flatMap((part) =>
    part.type === 'text' ? marked(part, textBlocks(part.text)) : textBlocks(part.refusal),
  );
}

/** A tool's whole output as one text. */
export function textOf(content: TextContent): string {
  const text = typeof content === 'string' ? content : content.map((part) => part.text).join('');
  return text.toWellFormed();
}

/** Adds the cache point a part asks for; there is none after nothing. */
function marked<B extends ContentBlock>(
  part: TextPart | ImagePart,
  blocks: B[],
): (B | CachePoint)[] {
  const wanted = part.prompt_cache_breakpoint ?? part.cache_control;
  return wanted && blocks.length > 0 ? [...blocks, CACHE_POINT] : blocks;
}
