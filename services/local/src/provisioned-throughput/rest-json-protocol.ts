import { AwsError } from '../wire/aws-error';
import type { AwsProtocol } from '../wire/aws-endpoint';
import { parseJsonBody } from '../wire/aws-rest-json-body';
import { restJsonErrorBody, restJsonErrorHeaders } from '../wire/aws-rest-json-error';

/** Where an operation lives; `{name}` in the path becomes a member of the input. */
export interface RestRoute {
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly status: number;
}

/** REST JSON with whole bodies: input from path, query string and body together. */
export function restJsonProtocol(routes: readonly RestRoute[]): AwsProtocol {
  return {
    unknownOperationCode: 'UnknownOperationException',

    decode(request, body) {
      const url = new URL(request.url ?? '/', 'http://local');
      for (const route of routes) {
        const labels =
          route.method === request.method ? matchPath(route.path, url.pathname) : undefined;
        if (labels === undefined) continue;
        const sent = Object(parseJsonBody(Buffer.from(body))) as object;
        const query = Object.fromEntries(url.searchParams);
        return { operation: route.operation, input: { ...query, ...sent, ...labels } };
      }
      throw unsupported(request.method ?? '', url.pathname, routes);
    },

    encodeOutput: (operation, output, requestId) => ({
      status: routes.find((route) => route.operation === operation)?.status ?? 200,
      headers: { 'content-type': 'application/json', 'x-amzn-requestid': requestId },
      body: JSON.stringify(output),
    }),

    encodeError: (error, requestId) => ({
      status: error.status,
      headers: restJsonErrorHeaders(error, requestId),
      body: restJsonErrorBody(error).toString('utf8'),
    }),
  };
}

/** Labels hold ARNs, whose slashes travel encoded: split first, decode then. */
function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const labels: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const actual = given[i] ?? '';
    const label = /^\{(\w+)\}$/.exec(part)?.[1];
    if (label !== undefined) labels[label] = decodeURIComponent(actual);
    else if (part !== actual) return undefined;
  }
  return labels;
}

function unsupported(method: string, path: string, routes: readonly RestRoute[]): AwsError {
  const known = routes.map(({ operation }) => operation).join(', ');
  return new AwsError(
    'UnknownOperationException',
    `${method} ${path} is not supported by this local stand-in. Supported: ${known}.`,
    404,
  );
}
