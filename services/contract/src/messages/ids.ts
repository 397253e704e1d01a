import { z } from 'zod';

/** Printable ASCII without spaces, as short as SQS wants a message group to be. */
export const idSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'must be 1–128 printable characters');

/** Unique per command; FIFO deduplication goes by it, never by content. */
export const commandIdSchema = z.uuid();

/** Grows with every change of ownership; an effect with an older one is refused. */
export const epochSchema = z.int().nonnegative();

/** Grows with every command for the same subject; an older one is a no-op. */
export const versionSchema = z.int().positive();

export const epochMsSchema = z.int().nonnegative();

/** Where credentials are kept; the credentials themselves never travel. */
export const secretArnSchema = z
  .string()
  .regex(
    /^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:\S+$/,
    'must be the ARN of a secret',
  );
