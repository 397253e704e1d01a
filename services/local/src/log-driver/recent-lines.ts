import type { LogLine } from './log-driver';

const LINES_KEPT = 500;
const SOURCES_KEPT = 500;

/** The latest lines of the latest sources. */
export function recentLines(): {
  add(line: LogLine): void;
  of(source: string): readonly LogLine[];
} {
  const lines = new Map<string, LogLine[]>();
  return {
    add(line) {
      const kept = lines.get(line.source) ?? [];
      lines.set(line.source, kept);
      kept.push(line);
      if (kept.length > LINES_KEPT) kept.shift();
      const [oldest] = lines.keys();
      if (lines.size > SOURCES_KEPT && oldest !== undefined) lines.delete(oldest);
    },
    of: (source) => lines.get(source) ?? [],
  };
}
