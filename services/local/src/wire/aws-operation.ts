import type { z } from 'zod';

import { AwsError } from './aws-error';

/** One call of an AWS API: takes the decoded input, answers the output's members, throws `AwsError`. */
export type Operation = (input: unknown) => unknown;

export type Operations = Readonly<Record<string, Operation>>;

/** What a service calls input that does not fit its model. */
export type InvalidInputCode =
  'ValidationException' | 'ValidationError' | 'InvalidParameterException';

/** Ties an input schema to a handler, so that a handler sees only input that fits. */
export function operation<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>) => unknown,
  invalidInput: InvalidInputCode = 'ValidationException',
): Operation {
  return (input) => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return run(parsed.data);
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') ?? '';
    throw new AwsError(invalidInput, `${where}: ${issue?.message ?? 'invalid input'}`);
  };
}

export function findOperation(
  operations: Operations,
  name: string,
  unknownCode: string,
): Operation {
  const found = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(operations).join(', ');
  throw new AwsError(
    unknownCode,
    `The operation ${name} is not supported by this local stand-in. Supported: ${known}.`,
  );
}
