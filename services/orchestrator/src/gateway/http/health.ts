import type { RequestListener } from 'node:http';
import { PATHS } from '@matsuri/contract';

/** Health on a listener of its own: however full the house is, these questions are answered. */
export function healthListener(isReady: () => boolean): RequestListener {
  return ({ url = '' }, outgoing) => {
    const [path] = url.split('?');
    const status = path === PATHS.health || (path === PATHS.ready && isReady()) ? 200 : 503;
    const known = path === PATHS.health || path === PATHS.ready;
    outgoing.writeHead(known ? status : 404, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ status: status === 200 ? 'ok' : 'unavailable' }));
  };
}
