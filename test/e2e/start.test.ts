/** What a newcomer sees: `npm start` brings everything up, the model answers, Ctrl-C leaves nothing behind. */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';

import OpenAI from 'openai';

const ROOT = join(__dirname, '../..');
const UP = /Bearer (mts_[\w-]+)[\s\S]*Matsuri is up: (http:\/\/127\.0\.0\.1:\d+)/;

interface PartStatus {
  readonly part: string;
  readonly url: string;
  readonly answers: boolean;
}

test('the platform starts, every part answers, and it ends whole', async () => {
  // Its own engines, not those of this test run.
  const { REDIS_URL, DATABASE_URL, AWS_ENDPOINT_URL_DYNAMODB, ...environment } = process.env;
  const program = spawn('tsx', ['services/local/src/main.ts', '--port', '0'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => program.once('exit', resolve));
  const [token, pageUrl] = await new Promise<[string, string]>((resolve, reject) => {
    let output = '';
    program.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, shownToken, url] = UP.exec(output) ?? [];
      if (shownToken !== undefined && url !== undefined) resolve([shownToken, url]);
    });
    program.once('exit', () => reject(new Error(`it ended before it was up:\n${output}`)));
  });

  const parts = (await (await fetch(`${pageUrl}/status.json`)).json()) as PartStatus[];
  expect(parts.filter(({ answers }) => !answers)).toEqual([]);
  expect(parts.map(({ part }) => part)).toEqual(
    expect.arrayContaining(['PostgreSQL', 'Redis', 'DynamoDB', 'Bedrock', 'OpenSearch', 'ECS']),
  );

  const gateway = parts.find(({ part }) => part === 'Model gateway')?.url;
  const client = new OpenAI({ apiKey: token, baseURL: `${gateway}v1` });
  const completion = await client.chat.completions.create({
    model: 'simple',
    messages: [{ role: 'user', content: '今週の新刊でおすすめは？' }],
  });
  expect(completion.choices[0]?.message.content).toMatch(/\p{Script=Hiragana}/u);

  program.kill('SIGINT');
  expect(await exited).toBe(0);
  for (const { part, url } of parts)
    expect({ part, listens: await listens(url) }).toEqual({ part, listens: false });
}, 120_000);

function listens(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url.replace('…', ''));
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
