import { z } from 'zod';
import { CURSOR_PATTERN } from '../core/page-cursor';

/** A tenant, a user or a model: what PostgreSQL, logs and queues all carry unchanged. */
export const identifierSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1–128 printable ASCII characters without spaces');

export const tenantSchema = identifierSchema.meta({
  description: 'The tenant the request is about. An id of another tenant is not found.',
  examples: ['acme'],
});

export const cursorSchema = z
  .string()
  .regex(CURSOR_PATTERN, 'must be a cursor that a page gave out')
  .meta({ description: '`next_cursor` of the page before.' });

export const nextCursorSchema = z
  .string()
  .nullable()
  .meta({ description: 'Ask for the next page with it; null on the last page.' });

/** A query's page size. */
export function limitSchema(most: number) {
  return z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .default(100)
    .meta({ description: 'Rows per page.' });
}
