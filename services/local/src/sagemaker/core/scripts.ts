import { AwsError } from '../../wire/aws-error';
import { COMMON_SCRIPTS } from '../../wire/stand-in-conduct';
import { modelError } from './inference';

/** What the endpoint can be told to do to a caller. */
export const SAGEMAKER_SCRIPTS = [
  ...COMMON_SCRIPTS,
  'throttle',
  'model-error',
  'model-timeout',
  'model-not-ready',
  'internal-error',
  'service-unavailable',
] as const;

export type SageMakerScript = (typeof SAGEMAKER_SCRIPTS)[number];

/** The error a script answers with instead of a classification, if it does. */
export function scriptedError(script: SageMakerScript): AwsError | undefined {
  switch (script) {
    case 'throttle':
      return new AwsError('ThrottlingException', 'Rate exceeded', 400);
    case 'model-error':
      return modelError(500, 'Scripted failure of the model container');
    case 'model-timeout':
      return modelError(
        0,
        'Your invocation timed out while waiting for a response from container primary',
      );
    case 'model-not-ready':
      return new AwsError('ModelNotReadyException', 'The model is still being loaded', 429);
    case 'internal-error':
      return new AwsError('InternalFailure', 'Scripted internal failure', 500);
    case 'service-unavailable':
      return new AwsError('ServiceUnavailable', 'Scripted unavailability', 503);
    case 'ok':
    case 'slow':
    case 'hang':
    case 'reset':
    case 'invalid-json':
      return undefined;
  }
}
