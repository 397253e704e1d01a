import { createHash } from 'node:crypto';

import { AwsError } from '../../wire/aws-error';
import type { ContentBlock, ConverseRequest, ImageBlock } from './converse-request';
import { imageTokens, readImageSize } from './image-size';
import type { CacheTtl, PromptPrefix } from './prompt-cache';
import { countTokens } from './tokenizer';

/** What the roles and separators of a message cost. */
const TOKENS_PER_MESSAGE = 4;
/** The hidden instructions a model gets as soon as tools are offered. */
const TOKENS_FOR_TOOL_USE = 346;
const BYTES_PER_DOCUMENT_TOKEN = 4;

const LARGEST_IMAGE_BYTES = 3_932_160;
const LARGEST_IMAGE_SIDE = 8_000;
const MOST_IMAGES = 20;
const MOST_CACHE_POINTS = 4;

/** One piece of a prompt in the order the model reads it. */
interface PromptBlock {
  readonly tokens: number;
  readonly content: string;
  readonly cachePoint?: CacheTtl;
}

/** Tokens of the whole prompt. */
export function countPromptTokens(prefixes: readonly PromptPrefix[]): number {
  return prefixes.at(-1)?.tokens ?? 0;
}

/** A prompt as a growing series of prefixes: tools, then system, then the conversation. */
export function promptPrefixes(request: ConverseRequest): PromptPrefix[] {
  const blocks = [...toolBlocks(request), ...systemBlocks(request), ...messageBlocks(request)];
  const cachePoints = blocks.filter(({ cachePoint }) => cachePoint).length;
  if (cachePoints > MOST_CACHE_POINTS) {
    throw new AwsError(
      'ValidationException',
      `A maximum of ${MOST_CACHE_POINTS} cache points is allowed. Found ${cachePoints}.`,
    );
  }
  return accumulate(blocks, cachePoints > 0);
}

// Hashing is left out for the many prompts that have no cache point.
function accumulate(blocks: readonly PromptBlock[], hashed: boolean): PromptPrefix[] {
  const hash = hashed ? createHash('sha256') : undefined;
  let tokens = 0;
  const prefixes: PromptPrefix[] = [];
  for (const block of blocks) {
    if (block.cachePoint) {
      const last = prefixes.pop();
      if (last) prefixes.push({ ...last, cachePoint: block.cachePoint });
      continue;
    }
    tokens += block.tokens;
    hash?.update(block.content).update('\0');
    prefixes.push({ tokens, hash: hash?.copy().digest('base64') ?? '' });
  }
  return prefixes;
}

function cacheMark(point: { readonly ttl?: CacheTtl | undefined }): PromptBlock {
  return { tokens: 0, content: '', cachePoint: point.ttl ?? '5m' };
}

function toolBlocks({ toolConfig }: ConverseRequest): PromptBlock[] {
  if (!toolConfig) return [];
  const tools = toolConfig.tools.map((tool) => {
    if (tool.cachePoint) return cacheMark(tool.cachePoint);
    const content = JSON.stringify(tool);
    return { content, tokens: countTokens(content) };
  });
  return [{ tokens: TOKENS_FOR_TOOL_USE, content: 'tools' }, ...tools];
}

function systemBlocks({ system }: ConverseRequest): PromptBlock[] {
  return system.map((block) => {
    if (block.cachePoint) return cacheMark(block.cachePoint);
    const content = block.text ?? block.guardContent?.text?.text ?? '';
    return { content, tokens: countTokens(content) };
  });
}

function messageBlocks({ messages }: ConverseRequest): PromptBlock[] {
  const images = messages.flatMap(({ content }) => content).filter(({ image }) => image).length;
  if (images > MOST_IMAGES) {
    throw new AwsError('ValidationException', `too many images: ${images} > ${MOST_IMAGES}`);
  }
  return messages.flatMap(({ role, content }) => [
    { tokens: TOKENS_PER_MESSAGE, content: role },
    ...content.map((block) => contentBlock(block)),
  ]);
}

function contentBlock(block: ContentBlock): PromptBlock {
  if (block.cachePoint) return cacheMark(block.cachePoint);
  if (block.text !== undefined) return { content: block.text, tokens: countTokens(block.text) };
  const content = JSON.stringify(block);
  return { content, tokens: tokensOf(block, content) };
}

function tokensOf(block: ContentBlock, content: string): number {
  if (block.image) return tokensOfImage(block.image);
  if (block.document?.source.bytes !== undefined) {
    return Math.ceil(
      Buffer.byteLength(block.document.source.bytes, 'base64') / BYTES_PER_DOCUMENT_TOKEN,
    );
  }
  if (block.toolResult) {
    return block.toolResult.content.reduce(
      (sum, part) =>
        sum +
        (part.image ? tokensOfImage(part.image) : countTokens(part.text ?? JSON.stringify(part))),
      TOKENS_PER_MESSAGE,
    );
  }
  // Earlier thinking is not shown to the model again.
  if (block.reasoningContent) return 0;
  return countTokens(content);
}

function tokensOfImage({ format, source }: ImageBlock): number {
  if (source.bytes === undefined) return imageTokens({ width: 1_092, height: 1_092 });
  const bytes = Buffer.from(source.bytes, 'base64');
  const size = readImageSize(bytes, format);
  if (!size) throw new AwsError('ValidationException', 'Could not process image');
  const side = Math.max(size.width, size.height);
  if (bytes.length > LARGEST_IMAGE_BYTES || side > LARGEST_IMAGE_SIDE) {
    throw new AwsError(
      'ValidationException',
      `image exceeds ${LARGEST_IMAGE_BYTES} bytes or ${LARGEST_IMAGE_SIDE} pixels on a side`,
    );
  }
  return imageTokens(size);
}
