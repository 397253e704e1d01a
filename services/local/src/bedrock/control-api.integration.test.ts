import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { z } from 'zod';

import { BEDROCK_SCRIPTS } from './core/scripts';
import { question, receiveUntilEnd, sdkClient } from './test/sdk-clients';

const announcement = z.object({ url: z.url(), port: z.int().positive() });

let url: string;
let child: ReturnType<typeof spawn>;
beforeAll(async () => {
  const args = [
    '--import',
    'tsx',
    join(__dirname, 'main.ts'),
    '--pacing',
    'instant',
    '--answer-tokens',
    '20',
  ];
  child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('no standard output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  url = announcement.parse(JSON.parse(line)).url;
}, 30_000);
afterAll(async () => {
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
});
beforeEach(() => post('reset', {}));

async function post(path: string, body: unknown): Promise<number> {
  const response = await fetch(`${url}/_standin/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

const get = async (path: string): Promise<unknown> =>
  (await fetch(`${url}/_standin/${path}`)).json();

const ask = () => receiveUntilEnd(sdkClient(url), question('hi'));

test('a process of its own answers, and its ledger can be read from outside', async () => {
  const { textDeltas, text } = await ask();
  await ask();

  expect(textDeltas).toBe(20);
  expect(await get('ledger')).toMatchObject({
    entries: [{ text, tokensEmitted: 20, outcome: 'finished' }, { outcome: 'finished' }],
    overlap: { running: 0, peak: 1 },
  });
  const { entries } = z
    .object({ entries: z.array(z.object({ id: z.int() })) })
    .parse(await get('ledger'));
  expect(await get(`ledger?after=${entries[0]?.id ?? 0}`)).toMatchObject({
    entries: [{ id: entries[1]?.id }],
  });
});

test('scripts, mix, quotas, capacity and pacing can be set from outside', async () => {
  expect(await post('script', { script: { name: 'throttle' } })).toBe(200);
  expect((await ask()).error?.name).toBe('ThrottlingException');

  const weights = [{ script: { name: 'internal-error' }, weight: 1 }];
  expect(await post('mix', { seed: 1, weights })).toBe(200);
  expect((await ask()).error?.name).toBe('InternalServerException');
  expect(await post('mix', null)).toBe(200);
  expect((await ask()).error).toBeUndefined();

  expect(await post('quota', [{ tokensPerMinute: 1 }])).toBe(200);
  expect((await ask()).error?.name).toBe('ThrottlingException');
  expect(await post('quota', [])).toBe(200);

  expect(await post('pacing', { firstTokenMs: 1, tokensPerSecond: 10_000 })).toBe(200);
  expect(await post('pacing', 'instant')).toBe(200);
  expect(await post('provisioned', [])).toBe(200);
});

test('what cannot be understood is refused', async () => {
  expect(await post('script', { script: { name: 'no such script' } })).toBe(400);
  expect(await post('nothing', {})).toBe(404);
});

test('the catalogue of scripts can be listed', async () => {
  expect(await get('scripts')).toEqual(BEDROCK_SCRIPTS);
});
