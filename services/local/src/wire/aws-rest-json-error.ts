import type { AwsError } from './aws-error';
import type { Response } from './listen';

/** The JSON body that carries an error: `message` plus what the modelled shape adds to it. */
export function restJsonErrorBody(error: AwsError): Buffer {
  return Buffer.from(JSON.stringify({ message: error.message, ...error.members }));
}

/** The headers by which an SDK recognises an error and a person finds it in a log. */
export function restJsonErrorHeaders(error: AwsError, requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-amzn-requestid': requestId,
    'x-amzn-errortype': error.code,
  };
}

/** Ends a response with an error in the REST-JSON shape. */
export function sendRestJsonError(response: Response, error: AwsError, requestId: string): void {
  sendWhole(
    response,
    error.status,
    restJsonErrorHeaders(error, requestId),
    restJsonErrorBody(error),
  );
}

/** Ends a response with a whole body of known length. */
export function sendWhole(
  response: Response,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-length', String(body.length));
  response.end(body);
}
