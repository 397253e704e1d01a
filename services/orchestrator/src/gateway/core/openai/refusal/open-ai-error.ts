/** An error as OpenAI's clients read it: a status, what stands under `error` in the body, headers. */
export interface OpenAiError {
  readonly status: number;
  readonly error: {
    readonly message: string;
    readonly type: string;
    /** The parameter at fault, such as `messages[0].content`. */
    readonly param: string | null;
    /** What programs branch on. */
    readonly code: string | null;
  };
  /** Whether and when to come back. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The body of an answer that refuses. */
export function errorBody({ error }: OpenAiError): string {
  return JSON.stringify({ error });
}
