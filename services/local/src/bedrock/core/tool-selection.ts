import type { ConverseRequest, ToolSpec } from './converse-request';

const SHORTEST_WORD = 4;
const WORDS_IN_COMMON = 2;

/** The tools an answer calls: those it is forced to, those named, or the one the question is about. */
export function selectTools(
  request: ConverseRequest,
  question: string,
  alwaysUse: boolean,
): ToolSpec[] {
  const offered = request.toolConfig?.tools.flatMap(({ toolSpec }) => toolSpec ?? []) ?? [];
  const choice = request.toolConfig?.toolChoice;
  if (choice?.tool) return offered.filter(({ name }) => name === choice.tool?.name);
  const fitting = fittingTools(offered, question);
  if (fitting.length > 0 || !(choice?.any ?? alwaysUse)) return fitting;
  return offered.slice(0, 1);
}

function fittingTools(offered: readonly ToolSpec[], question: string): ToolSpec[] {
  const named = offered.filter(({ name }) => mentions(question, name));
  if (named.length > 0) return named;
  const about = offered.find(
    ({ description = '' }) => overlap(question, description) >= WORDS_IN_COMMON,
  );
  return about ? [about] : [];
}

function mentions(question: string, name: string): boolean {
  const asked = question.toLowerCase();
  return asked.includes(name.toLowerCase()) || asked.includes(spaced(name));
}

function spaced(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}

function overlap(question: string, description: string): number {
  const known = words(description);
  return [...words(question)].filter((word) => known.has(word)).length;
}

/** Longer Latin words, and pairs of neighbouring kanji and kana, which serve Japanese as words. */
function words(text: string): Set<string> {
  const latin = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const runs = text.match(/[\u30a0-\u30ff\u3400-\u9fff]{2,}/g) ?? [];
  const pairs = runs.flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
  return new Set([...latin.filter((word) => word.length >= SHORTEST_WORD), ...pairs]);
}
