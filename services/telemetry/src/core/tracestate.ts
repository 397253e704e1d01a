/** One vendor's entry; kept in the order in which it came. */
export interface TracestateMember {
  readonly key: string;
  readonly value: string;
}

const MOST_MEMBERS = 32;
/** The length every system must pass on; beyond it we choose what to drop. */
const MOST_CHARS = 512;
const LARGE_MEMBER_CHARS = 128;

const SIMPLE_KEY = /^[a-z][\w*/-]{0,255}$/;
const TENANT_KEY = /^[a-z\d][\w*/-]{0,240}@[a-z][\w*/-]{0,13}$/;
const VALUE = /^[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/**
 * Reads W3C `tracestate` headers, several of which make one list. One malformed member or more
 * than 32 void the whole list; of a repeated key the first, the most recent, counts.
 */
export function parseTracestate(
  headers: string | readonly string[],
): readonly TracestateMember[] | undefined {
  const texts = (typeof headers === 'string' ? [headers] : headers)
    .flatMap((header) => header.split(','))
    .map((text) => text.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((text) => text !== '');
  if (texts.length > MOST_MEMBERS) return undefined;

  const members = new Map<string, string>();
  for (const text of texts) {
    const member = parseMember(text);
    if (member === undefined) return undefined;
    if (!members.has(member.key)) members.set(member.key, member.value);
  }
  return [...members].map(([key, value]) => ({ key, value }));
}

function parseMember(text: string): TracestateMember | undefined {
  const at = text.indexOf('=');
  const key = text.slice(0, at);
  const value = text.slice(at + 1);
  const valid = at > 0 && isKey(key) && VALUE.test(value);
  return valid ? { key, value } : undefined;
}

function isKey(key: string): boolean {
  return !/[A-Z]/.test(key) && (SIMPLE_KEY.test(key) || TENANT_KEY.test(key));
}

/** Within 512 characters: large entries go first, then the oldest, which stand last. */
export function formatTracestate(members: readonly TracestateMember[]): string {
  const kept = members.map(({ key, value }) => `${key}=${value}`);
  while (kept.join(',').length > MOST_CHARS) {
    const large = kept.findLastIndex((text) => text.length > LARGE_MEMBER_CHARS);
    kept.splice(large === -1 ? kept.length - 1 : large, 1);
  }
  return kept.join(',');
}
