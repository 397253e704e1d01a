/** What a newcomer sees: `npm start` brings everything up, the model answers, Ctrl-C leaves nothing behind. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import OpenAI from 'openai';

const ROOT = join(__dirname, '../..');
const UP = /Chat\s+(http:\/\/127\.0\.0\.1:\d+)[\s\S]*API token\s+(mts_[\w-]+)[\s\S]*curl/;

interface PartStatus {
  readonly part: string;
  readonly url: string;
  readonly answers: boolean;
}

const running: ChildProcess[] = [];

afterEach(() => {
  for (const program of running.splice(0)) program.kill('SIGTERM');
});

test('the platform starts, every part answers, and it ends whole', async () => {
  // Its own engines, not those of this test run.
  const { REDIS_URL, DATABASE_URL, AWS_ENDPOINT_URL_DYNAMODB, ...environment } = process.env;
  const program = spawn('tsx', ['services/local/src/main.ts', '--port', '0'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(program);
  const exited = new Promise<number | null>((resolve) => program.once('exit', resolve));
  let output = '';
  const [url, token] = await new Promise<[string, string]>((resolve, reject) => {
    program.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, shownUrl, shownToken] = UP.exec(output) ?? [];
      if (shownToken !== undefined && shownUrl !== undefined) resolve([shownUrl, shownToken]);
    });
    program.once('exit', () => reject(new Error(`it ended before it was up:\n${output}`)));
  });

  const parts = (await (await fetch(`${url}/status.json`)).json()) as PartStatus[];
  expect(parts.filter(({ answers }) => !answers)).toEqual([]);
  expect(parts.map(({ part }) => part)).toEqual(
    expect.arrayContaining(['PostgreSQL', 'Redis', 'DynamoDB', 'Bedrock', 'OpenSearch', 'ECS']),
  );

  const client = new OpenAI({ apiKey: token, baseURL: `${url}/v1` });
  const completion = await client.chat.completions.create({
    model: 'simple',
    messages: [{ role: 'user', content: '今週の新刊でおすすめは？' }],
  });
  expect(completion.choices[0]?.message.content).toMatch(/\p{Script=Hiragana}/u);

  const reference = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(reference.paths)).toContain('/v1/tokens');

  const page = await fetch(url);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(await page.text()).toContain('<title>MangaAssist</title>');
  // Nobody is at a terminal: no escape sequence reaches the output.
  expect(output).not.toContain('\u001b');

  program.kill('SIGINT');
  expect(await exited).toBe(0);
  for (const { part, url: address } of [...parts, { part: 'Front door', url }])
    expect({ part, listens: await listens(address) }).toEqual({ part, listens: false });
}, 120_000);

test.each([
  [['--port', 'many'], /--port takes a number/],
  [['--colour'], /Unknown option '--colour'/],
])(
  '%j is refused with what to do',
  async (args, message) => {
    const { code, errors } = await run(args);
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(message) as string });
  },
  60_000,
);

test('a port that is taken is named, with a way out', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  const { code, errors } = await run(['--port', String(port)]);
  holder.close();
  expect(errors).toContain(`Port ${port} is taken`);
  expect(errors).toContain('npm start -- --port');
  expect(code).toBe(1);
}, 60_000);

async function run(args: readonly string[]): Promise<{ code: number | null; errors: string }> {
  const program = spawn('tsx', ['services/local/src/main.ts', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  program.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve) => program.once('close', (code) => resolve({ code, errors })));
}

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
