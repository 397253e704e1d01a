import { idSchema, PATHS } from '@matsuri/contract';

/** What a request for a WebSocket asks for. */
export interface WebSocketRequest {
  readonly sessionId: string;
  readonly ticket: string | undefined;
}

const SUFFIX = '/ws';

/** `undefined` where the path is not that of a session's WebSocket. */
export function webSocketRequest(url: string): WebSocketRequest | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  const prefix = `${PATHS.sessions}/`;
  if (!path.startsWith(prefix) || !path.endsWith(SUFFIX)) return undefined;
  const sessionId = path.slice(prefix.length, -SUFFIX.length);
  if (sessionId.includes('/') || !idSchema.safeParse(sessionId).success) return undefined;
  return { sessionId, ticket: new URLSearchParams(query).get('ticket') ?? undefined };
}
