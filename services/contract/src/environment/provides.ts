import type { z } from 'zod';

/**
 * What a stack must give a program: `{…} satisfies Provides<typeof schema, string>` does not compile when a
 * variable is missing, nor when one is given that the program does not read (any more).
 */
export type Provides<Schema extends z.ZodObject, Value> = {
  readonly [Key in keyof z.input<Schema>]: Value;
};
