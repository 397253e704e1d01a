import { answerBlocks, lastWords, reasoningBlocks, textBlock } from './answer-blocks';
import type { GeneratedBlock } from './answer-blocks';
import type { ConverseRequest } from './converse-request';
import type { Script } from './scripts';
import { hashText, seededRandom } from './seeded-random';

type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use';

/** A whole answer before anything is sent. */
export interface Generation {
  readonly blocks: readonly GeneratedBlock[];
  readonly outputTokens: number;
  readonly stopReason: StopReason;
  /** Which stop sequence it was, for callers who asked to be told. */
  readonly stopSequence?: string;
  /** Seed of this answer, for whatever else must look random about it. */
  readonly seed: number;
}

/** Thinks and answers, within `maxTokens` and up to the first stop sequence. */
export function generate(request: ConverseRequest, script: Script, maxTokens: number): Generation {
  const question = lastWords(request);
  const seed = hashText(question);
  const random = seededRandom(seed);
  const thought = reasoningBlocks(request, question, random);
  const { blocks, stopReason, stopSequence } = stopAtSequence(
    answerBlocks(request, question, script, random),
    request.inferenceConfig.stopSequences ?? [],
  );
  const cut = cutAt(maxTokens, [...thought, ...blocks]);
  if (!cut.whole) return { ...cut, seed, stopReason: 'max_tokens' };
  const told = request.additionalModelResponseFieldPaths?.includes('/stop_sequence');
  const named = told && stopSequence !== undefined ? { stopSequence } : {};
  return { ...cut, seed, stopReason, ...named };
}

interface Stopped {
  readonly blocks: readonly GeneratedBlock[];
  readonly stopReason: StopReason;
  readonly stopSequence?: string;
}

function stopAtSequence(blocks: readonly GeneratedBlock[], sequences: readonly string[]): Stopped {
  const usesTool = blocks.some(({ kind }) => kind === 'toolUse');
  const [first, ...rest] = blocks;
  if (first?.kind !== 'text') return { blocks, stopReason: usesTool ? 'tool_use' : 'end_turn' };
  const text = first.tokens.join('');
  const hits = sequences
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  const [hit] = hits;
  if (!hit) return { blocks: [first, ...rest], stopReason: usesTool ? 'tool_use' : 'end_turn' };
  return {
    blocks: [textBlock(text.slice(0, hit.at))],
    stopReason: 'stop_sequence',
    stopSequence: hit.sequence,
  };
}

function cutAt(
  maxTokens: number,
  blocks: readonly GeneratedBlock[],
): { blocks: GeneratedBlock[]; outputTokens: number; whole: boolean } {
  let left = maxTokens;
  let whole = true;
  const kept: GeneratedBlock[] = [];
  for (const block of blocks) {
    if (block.tokens.length > left) whole = false;
    const tokens = block.tokens.length > left ? block.tokens.slice(0, left) : block.tokens;
    if (tokens.length > 0 || block.tokens.length === 0) kept.push({ ...block, tokens });
    left -= tokens.length;
  }
  return { blocks: kept, outputTokens: maxTokens - left, whole };
}
