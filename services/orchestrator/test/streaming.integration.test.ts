import { randomUUID } from 'node:crypto';
import { eventually } from './eventually';
import { startProgramProcess, type ProgramProcess } from './program-process';
import { QUICK_TIMEOUTS } from './quick-timeouts';
import { chatBody, openRaw, postRaw, readUntil, textOf } from './raw-client';
import { attemptRows, setStage, type Stage } from './stage';

let stage: Stage;
let program: ProgramProcess;
let key: string;

beforeAll(async () => {
  stage = await setStage();
  const overrides = {
    timeouts: QUICK_TIMEOUTS,
    gateway: { slotLeaseSeconds: 3 },
    retry: { minimumConcurrentRetries: 50 },
  };
  program = await startProgramProcess(stage.environment({ overrides }));
  ({ key } = await stage.newToken());
}, 60_000);

afterAll(async () => {
  await program.stop();
  await stage.close();
});

beforeEach(() => stage.bedrock.reset());

const ask = (requestId: string, more: object = {}) =>
  openRaw(program.url, key, JSON.stringify(chatBody({ stream: true, ...more })), {
    'x-request-id': requestId,
  });

const settledRows = (requestId: string, withinMs = 5_000) =>
  eventually(async () => {
    const rows = await attemptRows(stage.pool, requestId);
    return rows.length > 0 && rows.every(({ status }) => status !== 'reserved') ? rows : undefined;
  }, withinMs);

test('keeps a silent connection alive, before the first word too', async () => {
  stage.bedrock.script({ script: { name: 'thinking-pause', pauseMs: 900 } });
  const { response } = await ask(randomUUID());
  expect(response.statusCode).toBe(200);
  const text = await textOf(response);
  expect(text.startsWith(': heartbeat\n\n')).toBe(true);
  expect(text.match(/: heartbeat/g)?.length).toBeGreaterThanOrEqual(2);
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});

test('sends no heartbeat while there is something to say', async () => {
  stage.bedrock.pace({ firstTokenMs: 0, tokensPerSecond: 20 });
  stage.bedrock.script({ script: { tokens: 20 } });
  const { response } = await ask(randomUUID());
  const text = await textOf(response);
  stage.bedrock.pace('instant');
  expect(text).not.toContain('heartbeat');
});

test('passes on whatever a model says without breaking the frame', async () => {
  stage.bedrock.script({ script: { name: 'nasty-text' } });
  const { response } = await ask(randomUUID());
  const text = await textOf(response);
  const said = text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as { choices: { delta: { content?: string } }[] })
    .map((chunk) => chunk.choices[0]?.delta.content ?? '')
    .join('');
  expect(said).toBe(stage.bedrock.ledger().at(-1)?.text);
});

test('a model that breaks off in the middle ends in an error, never in [DONE], and is not replaced', async () => {
  stage.bedrock.script({ script: { name: 'stream-internal-error', afterTokens: 3 } });
  const requestId = randomUUID();
  const { response } = await ask(requestId);
  const text = await textOf(response);
  expect(text).toContain('"error":{');
  expect(text).not.toContain('[DONE]');
  const rows = await settledRows(requestId);
  expect(rows).toMatchObject([{ status: 'estimated', outcome: 'upstream-error', output: 3 }]);
});

test.each(['hang-before-headers', 'hang-after-metadata', 'trickle-metadata'] as const)(
  'a model that never begins (%s) is left for the next region, and paid for',
  async (name) => {
    stage.bedrock.script({ script: { name, everyMs: 100 }, when: { region: 'ap-northeast-1' } });
    const requestId = randomUUID();
    const { response } = await ask(requestId);
    const text = await textOf(response);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    const [loser, winner] = await settledRows(requestId);
    expect(loser).toMatchObject({
      region: 'ap-northeast-1',
      outcome: 'failed-over',
    });
    expect(loser?.cost).toBeGreaterThan(0);
    expect(winner).toMatchObject({
      region: 'ap-northeast-3',
      outcome: 'completed',
      status: 'settled',
    });
    await eventually(() => stage.bedrock.overlap().running === 0);
  },
);

test.each([
  'throttle',
  'internal-error',
  'reset-before-headers',
  'empty-stream',
  'wrong-prelude-crc',
] as const)('a model that fails at once (%s) is replaced before anybody notices', async (name) => {
  stage.bedrock.script({ script: { name, afterTokens: 0 }, when: { region: 'ap-northeast-1' } });
  const requestId = randomUUID();
  const { response } = await ask(requestId);
  const text = await textOf(response);
  expect(response.headers['x-served-by']).toContain('@ap-northeast-3');
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  const rows = await settledRows(requestId);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['upstream-error', 'completed']);
});

test('when nobody begins in time, the error is a timeout', async () => {
  stage.bedrock.script({ script: { name: 'hang-before-headers' }, times: 3 });
  const { response } = await ask(randomUUID());
  const text = await textOf(response);
  expect(text).toContain('"code":"timeout"');
  expect(text).not.toContain('[DONE]');
  await eventually(() => stage.bedrock.overlap().running === 0);
}, 20_000);

test('a silence in the middle that lasts too long ends the answer', async () => {
  stage.bedrock.script({ script: { name: 'stream-internal-error', afterTokens: 2 } });
  stage.bedrock.pace({ firstTokenMs: 0, tokensPerSecond: 0.05 });
  const requestId = randomUUID();
  const { response } = await ask(requestId);
  const text = await textOf(response);
  stage.bedrock.pace('instant');
  expect(text).toContain('"error":{');
  const rows = await settledRows(requestId);
  expect(rows).toMatchObject([{ outcome: 'timed-out', status: 'estimated' }]);
}, 20_000);

test.each([
  ['before the first word', { name: 'hang-after-metadata' }, undefined],
  ['in the middle', { tokens: 200 }, 'content'],
] as const)('a client that leaves %s stops the model within a second', async (_, script, until) => {
  stage.bedrock.script({ script });
  stage.bedrock.pace({ firstTokenMs: 0, tokensPerSecond: 20 });
  const requestId = randomUUID();
  const { request, response } = await ask(requestId);
  if (until !== undefined) await readUntil(response, (text) => text.includes('"content":"'));
  const leftAtMs = Date.now();
  request.destroy();
  const entry = await eventually(() => stage.bedrock.ledger().at(-1));
  await eventually(() => entry.outcome === 'aborted');
  expect(Date.now() - leftAtMs).toBeLessThan(1_000);
  stage.bedrock.pace('instant');
  const [row] = await settledRows(requestId);
  expect(row).toMatchObject({
    outcome: 'client-gone',
    status: 'estimated',
    client_disconnected: true,
  });
  expect(row?.output).toBeLessThanOrEqual(entry.tokensEmitted);
});

test('an answer that is not streamed and takes too long gets a clear error', async () => {
  stage.bedrock.script({ script: { name: 'hang-before-headers' } });
  const reply = await postRaw(program.url, key, JSON.stringify(chatBody()));
  expect(reply.status).toBe(504);
  expect(reply.body).toContain('Use streaming');
}, 20_000);

test('a reader that stands still is given up', async () => {
  stage.bedrock.script({ script: { tokens: 60_000 }, times: 3 });
  const requestId = randomUUID();
  const { response } = await ask(requestId, { max_tokens: 64_000 });
  response.pause();
  const rows = await settledRows(requestId, 40_000);
  expect(rows.at(-1)).toMatchObject({ outcome: 'client-gone', status: 'estimated' });
}, 60_000);
