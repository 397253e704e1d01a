const PLAIN = /^[A-Za-z0-9_.@-]*$/;
const UNSAFE = /[^A-Za-z0-9_.@-]/gu;

/**
 * One part of a key. Colons, braces and everything else with a meaning in a key is escaped, so that no
 * crafted id can reach into another key or choose its slot. Total and injective: any string has an
 * encoding, two strings never share one.
 */
export function keySegment(raw: string): string {
  return PLAIN.test(raw) ? raw : raw.replace(UNSAFE, escaped);
}

function escaped(character: string): string {
  return `%${(character.codePointAt(0) ?? 0).toString(16)};`;
}

/** A key of a fixed purpose and any ids. */
export function redisKey(purpose: string, ...ids: readonly string[]): string {
  return [purpose, ...ids.map(keySegment)].join(':');
}

/**
 * A key that shares its slot with every key of the same `group`, whatever its purpose: one script may
 * touch them all in a cluster.
 */
export function groupedKey(
  purpose: string,
  group: readonly [string, ...string[]],
  ...ids: readonly string[]
): string {
  const tag = `{${group.map(keySegment).join(':')}}`;
  return [purpose, tag, ...ids.map(keySegment)].join(':');
}
