import { AwsError } from '../../wire/aws-error';
import type { ScriptName } from './scripts';

/** The errors by which a script refuses a call before anything is generated. */
const REFUSALS: Partial<Record<ScriptName, () => AwsError>> = {
  throttle: () =>
    new AwsError('ThrottlingException', 'Too many requests, please wait before trying again.', 429),
  'internal-error': () => internalError(),
  'service-unavailable': () => serviceUnavailable(),
  'model-not-ready': () =>
    new AwsError(
      'ModelNotReadyException',
      'The model specified in the request is not ready to serve inference requests.',
      429,
    ),
  'model-timeout': () =>
    new AwsError(
      'ModelTimeoutException',
      'The request took too long to process. Processing time exceeded the model timeout length.',
      408,
    ),
  'model-error': () =>
    new AwsError('ModelErrorException', 'The model failed while processing the request.', 424, {
      originalStatusCode: 500,
      resourceName: 'stand-in',
    }),
  'access-denied': () =>
    new AwsError(
      'AccessDeniedException',
      "You don't have access to the model with the specified model ID.",
      403,
    ),
};

/** The errors by which a script breaks off a stream that has begun. */
const STREAM_ERRORS: Partial<Record<ScriptName, () => AwsError>> = {
  'stream-model-error': () =>
    new AwsError('ModelStreamErrorException', 'The model failed while streaming.', 424, {
      originalStatusCode: 500,
      originalMessage: 'stand-in',
    }),
  'stream-throttling': () =>
    new AwsError('ThrottlingException', 'Too many tokens, please wait before trying again.', 429),
  'stream-internal-error': () => internalError(),
  'stream-service-unavailable': () => serviceUnavailable(),
  'stream-validation': () =>
    new AwsError('ValidationException', 'The model returned content that could not be validated.'),
};

/** The error with which a script answers a call at once, if it does. */
export function refusalOf(name: ScriptName): AwsError | undefined {
  return REFUSALS[name]?.();
}

/** The error with which a script breaks off a stream, if it does. */
export function streamErrorOf(name: ScriptName): AwsError | undefined {
  return STREAM_ERRORS[name]?.();
}

function internalError(): AwsError {
  return new AwsError(
    'InternalServerException',
    'The system encountered an unexpected error during processing. Try your request again.',
    500,
  );
}

function serviceUnavailable(): AwsError {
  return new AwsError(
    'ServiceUnavailableException',
    'Bedrock is unable to process your request.',
    503,
  );
}
