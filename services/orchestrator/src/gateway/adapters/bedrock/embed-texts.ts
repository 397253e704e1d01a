import { parseReply } from './converse-answer';
import { countMember, listMember } from './json-member';
import { brokenReply } from './upstream-failure';

export interface Embeddings {
  readonly vectors: readonly (readonly number[])[];
  readonly inputTokens: number;
}

type Post = (text: string, signal: AbortSignal) => Promise<Buffer>;

/** Titan takes one text per call; this many calls run at once. */
const CALLS_AT_ONCE = 8;

/** Embeds texts with Titan, all or none: the first failure ends the calls that still run. */
export async function embedTexts(
  texts: readonly string[],
  signal: AbortSignal,
  post: Post,
): Promise<Embeddings> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const results: Embedding[] = [];
  const queue = texts.entries();
  const work = async (): Promise<void> => {
    for (const [at, text] of queue) results[at] = readEmbedding(await post(text, either));
  };
  try {
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
  return {
    vectors: results.map(({ vector }) => vector),
    inputTokens: results.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  };
}

interface Embedding {
  readonly vector: readonly number[];
  readonly inputTokens: number;
}

function readEmbedding(body: Buffer): Embedding {
  const reply = parseReply(body);
  const vector = listMember(reply, 'embedding').filter((value) => typeof value === 'number');
  if (vector.length === 0) throw brokenReply('it holds no embedding');
  return { vector, inputTokens: countMember(reply, 'inputTextTokenCount') };
}
