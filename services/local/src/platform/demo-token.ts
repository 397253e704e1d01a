import { PATHS } from '@matsuri/contract';
import { z } from 'zod';

import type { LocalPlatform } from './start-platform';

const issued = z.object({ token: z.string() });

/** A token to try the platform with, made as an administrator would: through the management API. */
export async function demoToken({ programs, adminToken }: LocalPlatform): Promise<string> {
  const response = await fetch(`${programs.apiUrl}${PATHS.tokens}?tenant=mangaassist`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: 'you', name: 'npm start', day_cap_usd: '5.00' }),
  });
  if (!response.ok) throw new Error(`No token could be made: ${await response.text()}`);
  return issued.parse(await response.json()).token;
}

/** A command to paste into another terminal. */
export function curlExample({ programs }: LocalPlatform, token: string): string {
  const body = {
    model: 'simple',
    stream: true,
    messages: [{ role: 'user', content: '今週の新刊でおすすめは？' }],
  };
  return [
    `curl -N ${programs.chatUrl}${PATHS.chatCompletions}`,
    `  -H 'authorization: Bearer ${token}'`,
    `  -H 'content-type: application/json'`,
    `  -d '${JSON.stringify(body)}'`,
  ].join(' \\\n');
}
