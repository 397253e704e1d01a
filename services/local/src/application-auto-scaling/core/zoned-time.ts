/** A wall-clock reading, in whatever zone; months count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

export function isTimeZone(zone: string): boolean {
  try {
    formatFor(zone);
    return true;
  } catch {
    return false;
  }
}

/** What a clock on the wall of a zone shows at an instant. */
export function wallTime(atMs: number, zone: string): WallTime {
  const parts = formatFor(zone).formatToParts(atMs);
  const read = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value);
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  };
}

/**
 * The instant at which a zone's clocks show a reading; the first one where they show it twice,
 * undefined where they skip it.
 */
export function instantOf(wall: WallTime, zone: string): number | undefined {
  const asUtc = utc(wall);
  const candidates = [-DAY_MS, DAY_MS]
    .map((awayMs) => asUtc - offsetAt(asUtc + awayMs, zone))
    .filter((candidate) => utc(wallTime(candidate, zone)) === asUtc);
  return candidates.length === 0 ? undefined : Math.min(...candidates);
}

const DAY_MS = 86_400_000;

function offsetAt(atMs: number, zone: string): number {
  return utc(wallTime(atMs, zone)) - Math.floor(atMs / 1_000) * 1_000;
}

function utc({ year, month, day, hour, minute, second }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
