import { AwsError } from './aws-error';
import type { AwsProtocol, AwsReply } from './aws-endpoint';

export interface AwsJsonProtocolOptions {
  /** The service's prefix in `x-amz-target`. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
  /** The namespace of its error shapes. */
  readonly namespace: string;
  /** For a service that once spoke query: the old code of each error shape that had another name. */
  readonly queryCodes?: Readonly<Record<string, string>>;
}

/** AWS JSON 1.0 and 1.1: the operation in a header, everything else in a JSON body. */
export function awsJsonProtocol(options: AwsJsonProtocolOptions): AwsProtocol {
  const headers = (requestId: string): Record<string, string> => ({
    'content-type': `application/x-amz-json-${options.version}`,
    'x-amzn-requestid': requestId,
  });

  return {
    unknownOperationCode: 'UnknownOperationException',

    decode(request, body) {
      const target = String(request.headers['x-amz-target'] ?? '');
      const prefix = `${options.target}.`;
      if (!target.startsWith(prefix)) throw notOurs(target, prefix);
      return { operation: target.slice(prefix.length), input: parseJson(body) };
    },

    encodeOutput: (_operation, output, requestId) => ({
      status: 200,
      headers: headers(requestId),
      body: JSON.stringify(output),
    }),

    encodeError: (error, requestId) => ({
      status: error.status,
      headers: {
        ...headers(requestId),
        ...queryErrorHeader(error, options.queryCodes),
      },
      body: JSON.stringify({
        ...error.members,
        __type: `${options.namespace}#${error.code}`,
        message: error.message,
      }),
    }),
  };
}

function queryErrorHeader(
  error: AwsError,
  codes: AwsJsonProtocolOptions['queryCodes'],
): AwsReply['headers'] {
  if (codes === undefined) return {};
  const fault = error.status >= 500 ? 'Receiver' : 'Sender';
  return { 'x-amzn-query-error': `${codes[error.code] ?? error.code};${fault}` };
}

function notOurs(target: string, prefix: string): AwsError {
  const sent = target === '' ? 'no x-amz-target header' : `x-amz-target "${target}"`;
  return new AwsError('UnknownOperationException', `Expected ${prefix}<Operation>, got ${sent}.`);
}

function parseJson(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body);
  } catch {
    throw new AwsError('SerializationException', 'The request body is not JSON');
  }
}
