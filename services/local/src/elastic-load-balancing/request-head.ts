import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** A request's head as the balancer sends it on: as it came, plus where it came from. */
export function requestHead(request: IncomingMessage): {
  readonly headers: OutgoingHttpHeaders;
  readonly text: string;
} {
  const from = request.socket.remoteAddress ?? '127.0.0.1';
  const earlier = request.headers['x-forwarded-for'];
  const headers: OutgoingHttpHeaders = {
    ...request.headers,
    'x-forwarded-for': earlier === undefined ? from : `${String(earlier)}, ${from}`,
    'x-forwarded-proto': request.headers['x-forwarded-proto'] ?? 'http',
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${name}: ${each}`),
  );
  const text = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  return { headers, text };
}
