import type { OpenAiError } from '../refusal/open-ai-error';

/** A request that cannot be answered as it is. Thrown while reading it, caught where reading began. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';

  constructor(
    message: string,
    readonly param: string | null,
    readonly code: string | null = null,
    readonly status = 400,
  ) {
    super(message);
  }

  toOpenAiError(): OpenAiError {
    const { message, param, code, status } = this;
    return { status, error: { message, type: 'invalid_request_error', param, code }, headers: {} };
  }
}
