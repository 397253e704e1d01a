import { AwsError } from './aws-error';
import type { AwsProtocol } from './aws-endpoint';
import { parseQueryForm } from './aws-query-form';
import { element } from './aws-query-xml';

/** AWS query: a form in, XML out. */
export function awsQueryProtocol(options: { readonly xmlNamespace: string }): AwsProtocol {
  const attributes = ` xmlns="${options.xmlNamespace}"`;
  const reply = (status: number, body: string) => ({
    status,
    headers: { 'content-type': 'text/xml' },
    body,
  });

  return {
    unknownOperationCode: 'InvalidAction',

    decode(_request, body) {
      const { Action: action, ...input } = parseQueryForm(body);
      if (typeof action !== 'string') throw new AwsError('MissingAction', 'Expected an Action');
      return { operation: action, input };
    },

    encodeOutput: (operation, output, requestId) =>
      reply(
        200,
        element(
          `${operation}Response`,
          { [`${operation}Result`]: output, ResponseMetadata: { RequestId: requestId } },
          attributes,
        ),
      ),

    encodeError(error, requestId) {
      const fault = {
        Type: error.status >= 500 ? 'Receiver' : 'Sender',
        Code: error.code,
        Message: error.message,
      };
      return reply(
        error.status,
        element('ErrorResponse', { Error: fault, RequestId: requestId }, attributes),
      );
    },
  };
}
