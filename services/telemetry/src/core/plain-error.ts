import { boundedText } from './bounded-text';
import type { JsonValue, Walk } from './redaction-walk';

type CopyField = (name: string, member: unknown, walk: Walk) => JsonValue;

/** Errors of another realm (a worker, a vm) are not `instanceof` ours. */
export function isErrorObject(value: object): boolean {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

const TEXTS = ['name', 'message', 'stack'];

/** Name, message, code, stack, causes, and whatever else the error carries. */
export function plainError(error: object, walk: Walk, copyField: CopyField): JsonValue {
  const shown: [string, JsonValue][] = [];
  for (const field of TEXTS) {
    const text = read(error, field);
    if (typeof text === 'string') shown.push([field, boundedText(text, walk)]);
  }
  for (const field of otherFields(error).slice(0, walk.limits.items)) {
    if (walk.charsLeft <= 0) break;
    const member = read(error, field);
    if (member === undefined) continue;
    shown.push([boundedText(field, walk, walk.limits.keyChars), copyField(field, member, walk)]);
  }
  return Object.fromEntries(shown);
}

/** `cause` and the `errors` of an AggregateError are not enumerable, yet they are the point. */
function otherFields(error: object): string[] {
  const names = new Set(['code', 'cause', 'errors', ...Object.keys(error)]);
  return [...names].filter((name) => !TEXTS.includes(name));
}

function read(error: object, field: string): unknown {
  try {
    return Reflect.get(error, field);
  } catch {
    return '[getter threw]';
  }
}
