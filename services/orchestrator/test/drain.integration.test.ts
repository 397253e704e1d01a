import { eventually } from './eventually';
import { startProgramProcess } from './program-process';
import { chatBody, openRaw, postRaw, readUntil, textOf } from './raw-client';
import { setStage, type Stage } from './stage';

let stage: Stage;

beforeAll(async () => {
  stage = await setStage();
}, 60_000);

afterAll(() => stage.close());
afterEach(() => stage.bedrock.pace('instant'));

const unsettled = async () => {
  const [row] = await stage.pool.query<{ open: number }>({
    text: `SELECT count(*)::int AS open FROM usage_attempts WHERE status = 'reserved'`,
  });
  return row?.open;
};

test('SIGTERM: not ready, nobody new, answers finished and settled, exit 0', async () => {
  const program = await startProgramProcess(stage.environment());
  const { key } = await stage.newToken();
  stage.bedrock.pace({ firstTokenMs: 0, tokensPerSecond: 20 });
  stage.bedrock.script({ script: { tokens: 30 } });
  const body = JSON.stringify(chatBody({ stream: true }));
  const { response } = await openRaw(program.url, key, body);
  await readUntil(response, (text) => text.includes('"content":"'));
  const rest = textOf(response);
  const stopped = program.stop();
  await eventually(async () => (await fetch(`${program.healthUrl}/readyz`)).status === 503);
  expect((await fetch(`${program.healthUrl}/healthz`)).status).toBe(200);
  await expect(postRaw(program.url, key, body)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect((await rest).endsWith('data: [DONE]\n\n')).toBe(true);
  expect(await stopped).toBe(0);
  expect(await unsettled()).toBe(0);
}, 60_000);

test('an answer that does not end is cut before the process is killed, and settled', async () => {
  const drain = { drainSeconds: 9, stopTimeoutSeconds: 120, deregistrationDelaySeconds: 120 };
  const overrides = { orchestrator: { drain } };
  const program = await startProgramProcess(stage.environment({ overrides }));
  const { key } = await stage.newToken();
  stage.bedrock.pace({ firstTokenMs: 0, tokensPerSecond: 2 });
  stage.bedrock.script({ script: { tokens: 1_000 } });
  const { response } = await openRaw(program.url, key, JSON.stringify(chatBody({ stream: true })));
  await readUntil(response, (text) => text.includes('"content":"'));
  response.on('error', () => undefined);
  expect(await program.stop()).toBe(0);
  expect(await unsettled()).toBe(0);
}, 60_000);

test('a process that has served enough makes room by itself', async () => {
  const gateway = { recycleAfterRequests: 5, recycleJitterPercent: 0 };
  const program = await startProgramProcess(stage.environment({ overrides: { gateway } }));
  const { key } = await stage.newToken();
  for (let n = 0; n < 5; n += 1) {
    expect((await postRaw(program.url, key, JSON.stringify(chatBody()))).status).toBe(200);
  }
  expect(await program.ended).toBe(0);
}, 60_000);
