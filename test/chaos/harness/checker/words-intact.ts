import type { CallStory } from './call-story';
import type { Violation } from './violation';

/** Scripts that send bytes which are no text; what a client sees of them is not what was meant. */
const NOT_TEXT = new Set(['invalid-utf8']);

/**
 * A client reads the words of one attempt from their beginning: all of them where the answer was completed,
 * never some of one attempt and some of another.
 */
export function wordsIntact(stories: readonly CallStory[]): readonly Violation[] {
  return stories.flatMap(({ id, endings, attempts }) => {
    const [ending] = endings;
    if (!ending) return [];
    const spoken = attempts.flatMap(({ row, upstream }) => (upstream ? [{ row, upstream }] : []));
    if (spoken.some(({ upstream }) => NOT_TEXT.has(upstream.script))) return [];
    const { text } = ending;
    if (ending.ending !== 'completed') {
      const fits = text === '' || spoken.some(({ upstream }) => upstream.text.startsWith(text));
      return fits ? [] : [violation(id, `shows ${text.length} characters no attempt began with`)];
    }
    const fits = spoken.some(
      ({ row, upstream }) =>
        upstream.text === text && (row.outcome === 'completed' || row.status === 'orphaned'),
    );
    return fits ? [] : [violation(id, 'was completed with other words than its model said')];
  });
}

function violation(subject: string, message: string): Violation {
  return { invariant: 'words', subject, message };
}
