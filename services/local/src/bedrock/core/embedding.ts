import { hashText } from './seeded-random';

const LONGEST_GRAM = 3;
/** Digits kept of every component: what a float32 holds. */
const SIGNIFICANT_DIGITS = 7;

const KATAKANA = /[\u30a1-\u30f6]/g;
const KATAKANA_TO_HIRAGANA = 0x60;
const WORD = /[\p{L}\p{N}\u30fc]+/gu;

/**
 * A deterministic embedding of unit length: the character 1- to 3-grams of each word are hashed into
 * signed buckets, longer grams weighing more. Texts that share wording lie close, in any script;
 * width, case and the two kana are folded together.
 */
export function embedText(text: string, dimensions: number): number[] {
  const vector = new Float64Array(dimensions);
  for (const [gram, count] of countGrams(text)) {
    const hash = hashText(gram);
    const sign = (hash & 1) === 0 ? 1 : -1;
    const weight = (1 + Math.log(count)) * Math.max(1, gram.length);
    const bucket = (hash >>> 1) % dimensions;
    vector[bucket] = (vector[bucket] ?? 0) + sign * weight;
  }
  return toUnitLength(vector);
}

/** How alike two embeddings are, from -1 to 1. */
export function cosineSimilarity(a: readonly number[], b: readonly number[]): number {
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  a.forEach((value, index) => {
    const other = b[index] ?? 0;
    dot += value * other;
    squaresA += value * value;
    squaresB += other * other;
  });
  return squaresA === 0 || squaresB === 0 ? 0 : dot / Math.sqrt(squaresA * squaresB);
}

function countGrams(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of fold(text).matchAll(WORD)) {
    for (let length = 1; length <= LONGEST_GRAM; length += 1) {
      for (let start = 0; start + length <= word.length; start += 1) {
        const gram = word.slice(start, start + length);
        counts.set(gram, (counts.get(gram) ?? 0) + 1);
      }
    }
  }
  // A text without a single word still needs a direction.
  if (counts.size === 0) counts.set(text, 1);
  return counts;
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_TO_HIRAGANA));
}

function toUnitLength(vector: Float64Array): number[] {
  const length = Math.hypot(...vector) || 1;
  return Array.from(vector, (value) =>
    value === 0 ? 0 : Number((value / length).toPrecision(SIGNIFICANT_DIGITS)),
  );
}
