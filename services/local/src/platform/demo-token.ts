import { PATHS } from '@matsuri/contract';
import { z } from 'zod';

import { DEMO_TENANT } from './start-platform';
import type { LocalPlatform } from './start-platform';

const issued = z.object({ token: z.string() });

/** A token made as an administrator would: through the management API. */
export async function issueToken(
  { programs, adminToken }: LocalPlatform,
  name: string,
): Promise<string> {
  const response = await fetch(`${programs.apiUrl}${PATHS.tokens}?tenant=${DEMO_TENANT}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: 'you', name, day_cap_usd: '5.00' }),
  });
  if (!response.ok) throw new Error(`No token could be made: ${await response.text()}`);
  return issued.parse(await response.json()).token;
}

/** A command to paste into another terminal. */
export function curlExample(url: string, token: string): string {
  const body = {
    model: 'simple',
    stream: true,
    messages: [{ role: 'user', content: '今週の新刊でおすすめは？' }],
  };
  return [
    `curl -N ${url}${PATHS.chatCompletions}`,
    `  -H 'authorization: Bearer ${token}'`,
    `  -H 'content-type: application/json'`,
    `  -d '${JSON.stringify(body)}'`,
  ].join(' \\\n');
}
