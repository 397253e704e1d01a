import { PATHS } from '@matsuri/contract';

/** Who answers behind the one address. */
export type Room = 'chat' | 'api' | 'shop' | 'status' | 'page';

/** By the beginning of the path, as the edge and its balancer route in AWS. */
const ROOMS: readonly (readonly [string, Room])[] = [
  [PATHS.sessions, 'chat'],
  [PATHS.chatCompletions, 'chat'],
  [PATHS.models, 'chat'],
  [PATHS.tokens, 'api'],
  [PATHS.usage, 'api'],
  [PATHS.openapi, 'api'],
  ['/shop', 'shop'],
  ['/status', 'status'],
  ['/status.json', 'status'],
];

export function roomOf(url: string): Room {
  const [path = '/'] = url.split('?', 1);
  const found = ROOMS.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return found?.[1] ?? 'page';
}
