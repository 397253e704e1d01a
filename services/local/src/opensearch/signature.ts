import { readCredentialScope } from '../wire/aws-rest-json-sigv4';
import type { StandInCall } from '../wire/stand-in-call';
import { AwsError } from '../wire/aws-error';
import { SearchError } from './core/search-error';

/**
 * Accepts unsigned calls and well-formed SigV4 ones for the service `aoss` or `es`; the secret is not
 * known here. A serverless collection also wants the hash of the body in a header.
 */
export function checkSignature({ headers }: StandInCall): void {
  const { authorization } = headers;
  if (authorization?.startsWith('AWS4-') !== true) return;
  const service = authorization.includes('/aoss/aws4_request') ? 'aoss' : 'es';
  try {
    readCredentialScope(headers, service);
  } catch (error) {
    if (error instanceof AwsError) throw forbidden(error.message);
    throw error;
  }
  if (service === 'aoss' && headers['x-amz-content-sha256'] === undefined) {
    throw forbidden('a serverless collection needs the header x-amz-content-sha256');
  }
}

function forbidden(reason: string): SearchError {
  return new SearchError('Forbidden', `403 Forbidden: ${reason}`, 403);
}
