import type { z } from 'zod';
import type { PlatformConfiguration } from '../configuration/platform';

/** A value one program writes to Redis and another reads. */
export interface SharedRecord<Ids extends readonly string[], Value> {
  readonly key: (...ids: Ids) => string;
  /** After this long without a new write the record is absent. */
  readonly ttlSeconds: (configuration: PlatformConfiguration) => number;
  /** What a reader does when there is none, or when Redis is down: never an error. */
  readonly absence: string;
  readonly encode: (value: Value) => string;
  /** Undefined for no record, and for one that cannot be understood: both mean absence. */
  readonly decode: (stored: string | null | undefined) => Value | undefined;
}

interface RecordDefinition<Ids extends readonly string[], Schema extends z.ZodType> {
  readonly key: (...ids: Ids) => string;
  readonly schema: Schema;
  readonly ttlSeconds: (configuration: PlatformConfiguration) => number;
  readonly absence: string;
}

/** Ties key, schema, lifetime and the meaning of absence together. */
export function defineRecord<const Ids extends readonly string[], Schema extends z.ZodType>(
  definition: RecordDefinition<Ids, Schema>,
): SharedRecord<Ids, z.output<Schema>> {
  const { key, schema, ttlSeconds, absence } = definition;
  return {
    key,
    ttlSeconds,
    absence,
    encode: (value) => JSON.stringify(value),
    decode: (stored) => schema.safeParse(jsonOrUndefined(stored)).data,
  };
}

function jsonOrUndefined(stored: string | null | undefined): unknown {
  if (stored === null || stored === undefined) return undefined;
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}
