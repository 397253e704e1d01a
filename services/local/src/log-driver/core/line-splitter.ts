export interface SplitLines {
  readonly lines: readonly string[];
  /** The beginning of a line whose end has not arrived. */
  readonly rest: string;
}

/**
 * Cuts text into lines. A line longer than the limit becomes several, as a log driver's events do,
 * so that a program that never ends its line cannot fill memory.
 */
export function splitLines(rest: string, chunk: string, longestLine: number): SplitLines {
  const pieces = (rest + chunk).split('\n');
  const open = pieces.pop() ?? '';
  const whole = pieces.flatMap((line) => cut(line.replace(/\r$/, ''), longestLine));
  const opened = cut(open, longestLine);
  const last = opened.pop() ?? '';
  return { lines: [...whole, ...opened].filter((line) => line !== ''), rest: last };
}

function cut(line: string, longest: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < line.length; start += longest) {
    parts.push(line.slice(start, start + longest));
  }
  return parts;
}
