/** An answer every AWS client understands as a named service error. */
export class AwsError extends Error {
  override readonly name = 'AwsError';

  constructor(
    readonly code: string,
    message: string,
    readonly status = 400,
    /** Further members of the error's shape, such as `resourceName`. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
