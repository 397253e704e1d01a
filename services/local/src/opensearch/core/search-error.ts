import { z } from 'zod';

/** A refusal in OpenSearch's own words: its exception type, its reason, its HTTP status. */
export class SearchError extends Error {
  override readonly name = 'SearchError';

  constructor(
    readonly type: string,
    reason: string,
    readonly status = 400,
    /** Further members of the cause, such as `index`. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(reason);
  }
}

/** The request is not what its grammar allows. */
export const parsingError = (reason: string): SearchError =>
  new SearchError('parsing_exception', reason);

/** The request is well formed, but asks for what cannot be. */
export const illegalArgument = (reason: string): SearchError =>
  new SearchError('illegal_argument_exception', reason);

export const indexNotFound = (index: string): SearchError =>
  new SearchError('index_not_found_exception', `no such index [${index}]`, 404, {
    index,
    'resource.id': index,
    'resource.type': 'index_or_alias',
  });

/** The body of an error answer. */
export function errorBody(error: SearchError): unknown {
  const cause = { type: error.type, reason: error.message, ...error.members };
  return { error: { root_cause: [cause], ...cause }, status: error.status };
}

/** Reads a part of a request; what does not fit is a parsing error that names the part. */
export function readPart<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  part: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw parsingError(`[${part}] query does not support [${issue.keys.join(', ')}]`);
  }
  const at = issue && issue.path.length > 0 ? ` at [${issue.path.join('.')}]` : '';
  throw parsingError(`[${part}] is malformed${at}: ${issue?.message ?? 'unreadable'}`);
}

/** Any JSON object. */
export const jsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof jsonObject>;
