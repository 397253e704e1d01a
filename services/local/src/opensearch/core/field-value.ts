import type { FieldType } from './mapping';

/** A value as it is compared: dates are milliseconds since the epoch. */
export type FieldValue = string | number | boolean;

/**
 * Reads a JSON value as a field of the type would; `undefined` when it cannot be read so.
 * `now` and `now-7d` are dates too.
 */
export function readValue(type: FieldType, value: unknown, nowMs: number): FieldValue | undefined {
  switch (type.kind) {
    case 'text':
    case 'keyword':
      return isScalar(value) ? String(value) : undefined;
    case 'number':
      return readNumber(value);
    case 'boolean':
      return readBoolean(value);
    case 'date':
      return readDate(value, nowMs);
    case 'vector':
      return undefined;
  }
}

/** Reads a JSON value as a vector; `undefined` when it is none. */
export function readVectorValue(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const numbers = value.filter((each): each is number => typeof each === 'number');
  return numbers.length === value.length ? numbers : undefined;
}

function isScalar(value: unknown): value is FieldValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

function readBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' || value === '' ? false : undefined;
}

const RELATIVE = /^now(?:([+-])(\d+)([smhdw]))?$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T.*)?$/;

function readDate(value: unknown, nowMs: number): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const relative = RELATIVE.exec(value);
  if (relative) return nowMs + offsetMs(relative[1], relative[2], relative[3]);
  const ms = ISO_DATE.test(value) ? Date.parse(value) : Number(value);
  return value === '' || Number.isNaN(ms) ? undefined : ms;
}

function offsetMs(sign = '+', amount = '0', unit = 's'): number {
  const entry = Object.entries(UNIT_MS).find(([name]) => name === unit);
  return (sign === '-' ? -1 : 1) * Number(amount) * (entry?.[1] ?? 0);
}
