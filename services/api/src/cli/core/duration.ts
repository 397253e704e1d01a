const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

const DURATION = /^(\d{1,9})(s|m|h|d)$/;

/** Seconds of a text such as `90s`, `30m`, `24h`, `7d`; `undefined` for anything else. */
export function durationSeconds(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  return Number(count) * SECONDS[unitOf(unit)];
}

function unitOf(letter: string): keyof typeof SECONDS {
  return letter === 's' || letter === 'm' || letter === 'h' ? letter : 'd';
}
