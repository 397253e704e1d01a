import { curlExample } from './demo-token';
import type { LocalPlatform } from './start-platform';

export interface ReadyBlock {
  readonly platform: LocalPlatform;
  readonly url: string;
  readonly token: string;
  readonly tookMs: number;
}

/** What a person wants to know once everything is up: where to look, what to try, and what runs degraded. */
export function readyBlock({ platform, url, token, tookMs }: ReadyBlock): string {
  const { engines, programs, adminToken } = platform;
  const degraded = engines.withoutRedisBecause;
  return [
    '',
    `Matsuri is up after ${(tookMs / 1_000).toFixed(1)} s   (Ctrl-C ends it)`,
    '',
    `  Chat        ${url}`,
    `  Status      ${url}/status`,
    `  API         ${url}/v1          OpenAI's chat completions, sessions, tokens, usage`,
    `  API token   ${token}`,
    ...(degraded === undefined ? [] : [`  Degraded    ${degraded}`]),
    '',
    'Ask it from a terminal:',
    '',
    curlExample(url, token),
    '',
    'More tokens, and what they cost:',
    '',
    `MATSURI_API_URL=${programs.apiUrl} MATSURI_ADMIN_TOKEN=${adminToken} npm run token -- --help`,
    '',
  ].join('\n');
}
