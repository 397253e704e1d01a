import { createReadStream, existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
};

/** The page may load from its own origin and connect to it; nothing it shows can do more. */
const SAFETY = {
  'content-security-policy': [
    "default-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const NAMED_BY_CONTENT = /^\/assets\/[\w.-]+$/;

/** Serves the console's bundle, as the bucket behind CloudFront does. */
export function staticFiles(folder: string) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const host = request.headers.host ?? '';
    if (host.startsWith('localhost')) {
      // One origin only: the chat's allow-list names it exactly.
      response.writeHead(302, {
        location: `http://${host.replace('localhost', '127.0.0.1')}${path}`,
      });
      response.end();
      return;
    }
    const named = NAMED_BY_CONTENT.test(path);
    const file = join(folder, named ? path : 'index.html');
    if ((path !== '/' && !named) || !existsSync(file)) {
      response.writeHead(existsSync(folder) ? 404 : 503, { 'content-type': 'text/plain' });
      response.end(existsSync(folder) ? 'Not here.' : 'Matsuri is starting; reload in a moment.');
      return;
    }
    response.writeHead(200, {
      ...SAFETY,
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': named ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    createReadStream(file).pipe(response);
  };
}
