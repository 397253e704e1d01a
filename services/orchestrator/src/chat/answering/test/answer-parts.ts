import { randomUUID } from 'node:crypto';
import type { AnswerPart } from '../../ports';

/** All parts of an answer. */
export async function partsOf(answer: AsyncIterable<readonly AnswerPart[]>): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for await (const batch of answer) parts.push(...batch);
  return parts;
}

/** What was said, put together. */
export function textOf(parts: readonly AnswerPart[]): string {
  return parts.map((part) => (part.type === 'delta' ? part.text : '')).join('');
}

/** What was missing, and how low the answer had to go. */
export function degradationOf(parts: readonly AnswerPart[]) {
  const degraded = parts.find((part) => part.type === 'degraded');
  return { parts: degraded?.parts ?? [], rung: degraded?.rung ?? 'full' };
}

/** Parts by which an answer ends: there must be one. */
export function endingsOf(parts: readonly AnswerPart[]): readonly AnswerPart[] {
  return parts.filter(({ type }) => type === 'done' || type === 'error');
}

/** Letters that were never asked before, and tell of nobody. */
export function unheard(): string {
  return randomUUID().replace(/[\d-]/g, (sign) => 'ghijklmnop'.charAt(Number(sign)));
}
