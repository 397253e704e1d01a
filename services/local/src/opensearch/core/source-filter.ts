import { z } from 'zod';

import { fitsPattern } from './name-pattern';
import { jsonObject } from './search-error';
import type { JsonObject } from './search-error';

/** Which parts of a document are sent back. */
export interface SourceFilter {
  /** False sends none of it. */
  readonly send: boolean;
  /** Paths or patterns; empty means everything. */
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

const patterns = z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]);

/** `true`, `"path"`, `["path"]`, or `{"includes": […], "excludes": […]}`. */
export const sourceFilter = z
  .union([
    z.boolean().transform((send) => ({ send, includes: [], excludes: [] })),
    z.string().transform((one) => ({ send: true, includes: [one], excludes: [] })),
    z.array(z.string()).transform((includes) => ({ send: true, includes, excludes: [] })),
    z
      .strictObject({ includes: patterns, excludes: patterns })
      .transform((lists) => ({ send: true, ...lists })),
  ])
  .default({ send: true, includes: [], excludes: [] });

/** The part of a document that passes the filter. */
export function filterSource(filter: SourceFilter, source: JsonObject): JsonObject {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return source;
  return keep(filter, '', source);
}

function keep(filter: SourceFilter, prefix: string, source: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      if (named(filter.excludes, path)) return [];
      const object = jsonObject.safeParse(value);
      if (object.success && !Array.isArray(value)) {
        const inner = keep(filter, path, object.data);
        return Object.keys(inner).length > 0 ? [[name, inner]] : [];
      }
      return filter.includes.length === 0 || named(filter.includes, path) ? [[name, value]] : [];
    }),
  );
}

// A pattern that names an object names everything in it.
function named(list: readonly string[], path: string): boolean {
  return list.some((pattern) => fitsPattern(pattern, path) || fitsPattern(`${pattern}.*`, path));
}
