import { boundedText } from './bounded-text';
import { isErrorObject, plainError } from './plain-error';
import type { JsonValue, RedactOptions, Walk } from './redaction-walk';
import { enter, startWalk } from './redaction-walk';
import { REDACTED } from './scrub-text';
import { sensitivityOf } from './sensitive-keys';

const PAIR_NAMES = ['name', 'Name', 'key', 'Key'];
const HEADER_NAMES =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|x-amz-security-token)$/i;
const LARGEST_BIGINT_SHOWN = 10n ** 40n;
/** What a number and its comma take, roughly: lists of numbers must end too. */
const CHARS_PER_MEMBER = 8;

/**
 * A copy of anything, safe to print: plain JSON, bounded in size, inert on a terminal, without
 * credentials and without what people and models said to each other. Never throws.
 */
export function redact(value: unknown, options: RedactOptions = {}): JsonValue {
  return copy(value, startWalk(options));
}

/** The same promise for one piece of free text, where only what is recognisable can be taken out. */
export function redactText(text: string, options: RedactOptions = {}): string {
  return boundedText(text, startWalk(options));
}

function copy(value: unknown, walk: Walk): JsonValue {
  walk.charsLeft -= CHARS_PER_MEMBER;
  switch (typeof value) {
    case 'string':
      return copyText(value, walk);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'bigint':
      return value < LARGEST_BIGINT_SHOWN && value > -LARGEST_BIGINT_SHOWN
        ? value.toString()
        : '[bigint]';
    case 'symbol':
      return boundedText(`Symbol(${value.description ?? ''})`, walk);
    case 'function':
      return '[function]';
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : copyObject(value, walk);
  }
}

/** Text that is itself a JSON document is redacted as the structure it is. */
function copyText(text: string, walk: Walk): string {
  if (/^\s*[{[]/.test(text) && text.length <= walk.limits.stringChars) {
    try {
      return boundedText(JSON.stringify(copy(JSON.parse(text), walk)), walk);
    } catch {
      // Not JSON after all.
    }
  }
  return boundedText(text, walk);
}

function copyObject(value: object, walk: Walk): JsonValue {
  try {
    return enter(walk, value, () => copyMembers(value, walk));
  } catch {
    return '[unreadable]';
  }
}

function copyMembers(value: object, walk: Walk): JsonValue {
  if (isErrorObject(value)) return plainError(value, walk, copyField);
  if (Array.isArray(value)) return copyList(value, walk);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return `[${String(value.byteLength)} bytes]`;
  }
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL) return boundedText(value.href, walk);
  if (value instanceof Set) return copyList(first(value, walk.limits.items), walk, value.size);
  if (value instanceof Map) {
    return copyEntries(first(value, walk.limits.items), walk, value.size);
  }
  if (value instanceof Headers || value instanceof URLSearchParams) {
    return copyEntries([...value.entries()], walk);
  }
  return copyRecord(value, walk);
}

function first<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const item of items) {
    if (taken.length >= count) break;
    taken.push(item);
  }
  return taken;
}

function copyList(items: readonly unknown[], walk: Walk, total = items.length): JsonValue {
  const shown: JsonValue[] = [];
  const most = Math.min(items.length, walk.limits.items);
  for (let i = 0; i < most && walk.charsLeft > 0; i += 1) {
    const previous: unknown = i === 0 ? undefined : items[i - 1];
    // Raw headers travel as a flat list: name, value, name, value.
    const afterHeaderName = typeof previous === 'string' && HEADER_NAMES.test(previous);
    shown.push(afterHeaderName ? REDACTED : copy(items[i], walk));
  }
  if (total > shown.length) shown.push(`[${String(total - shown.length)} more]`);
  return shown;
}

function copyRecord(value: object, walk: Walk): JsonValue {
  const names = Object.keys(value);
  const hidesValue = PAIR_NAMES.some((name) => isSecretName(Reflect.get(value, name)));
  const shown = names.slice(0, walk.limits.items).map((name): [unknown, unknown] => {
    if (hidesValue && /^value$/i.test(name)) return [name, REDACTED];
    return [name, readMember(value, name)];
  });
  return copyEntries(shown, walk, names.length);
}

/** `{ name: 'DB_PASSWORD', value: '…' }`: the way ECS and HTTP archives write a variable. */
function isSecretName(name: unknown): boolean {
  return typeof name === 'string' && name.length <= 128 && sensitivityOf(name) === 'secret';
}

function readMember(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    return '[getter threw]';
  }
}

function copyEntries(
  entries: readonly (readonly [unknown, unknown])[],
  walk: Walk,
  total = entries.length,
): JsonValue {
  const shown: [string, JsonValue][] = [];
  let seen = 0;
  for (const [key, member] of entries.slice(0, walk.limits.items)) {
    if (walk.charsLeft <= 0) break;
    seen += 1;
    if (member === undefined) continue;
    const name = typeof key === 'string' ? key : JSON.stringify(copy(key, walk));
    shown.push([fieldName(name, walk), copyField(name, member, walk)]);
  }
  if (total > seen) shown.push(['…', `${String(total - seen)} more`]);
  // Unlike assignment, this makes an own member even of a key called __proto__.
  return Object.fromEntries(shown);
}

function fieldName(name: string, walk: Walk): string {
  return boundedText(name, walk, walk.limits.keyChars).replaceAll('\n', '\\n');
}

function copyField(name: string, member: unknown, walk: Walk): JsonValue {
  const sensitivity = sensitivityOf(name.slice(-walk.limits.keyChars));
  if (sensitivity === 'secret') return hideSecret(member);
  if (sensitivity === 'prompt' && !walk.showPrompts) return hidePrompt(member, walk);
  return copy(member, walk);
}

/** Whether there is a password may be said; a number may be a PIN. */
function hideSecret(member: unknown): JsonValue {
  return member === null || typeof member === 'boolean' ? member : REDACTED;
}

/** How much was said may be told: counts stay, and the size of what was taken out. */
function hidePrompt(member: unknown, walk: Walk): JsonValue {
  if (typeof member === 'string') return `[redacted ${String(member.length)} chars]`;
  if (typeof member === 'object' && member !== null) return REDACTED;
  return copy(member, walk);
}
