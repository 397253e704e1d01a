import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { eventually } from './eventually';
import { launchProgramProcess, startProgramProcess } from './program-process';
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
  const orchestrator = { healthCheck: { intervalSeconds: 1, healthyCount: 2, unhealthyCount: 3 } };
  const overrides = { gateway, orchestrator };
  const program = await startProgramProcess(stage.environment({ overrides }));
  const { key } = await stage.newToken();
  const ask = (token: string, body: object = chatBody()) =>
    postRaw(program.url, token, JSON.stringify(body));
  const isReady = async () => (await fetch(`${program.healthUrl}/readyz`)).status === 200;
  // What nobody is served with wears nobody out.
  for (let n = 0; n < 5; n += 1) {
    expect((await ask('nobody')).status).toBe(401);
    expect((await ask(key, {})).status).toBe(400);
    expect((await fetch(`${program.url}/nowhere`)).status).toBe(404);
    expect((await fetch(program.url, { method: 'OPTIONS' })).status).toBe(403);
  }
  for (let n = 0; n < 4; n += 1) expect((await ask(key)).status).toBe(200);
  expect(await isReady()).toBe(true);
  expect((await ask(key)).status).toBe(200);
  await eventually(async () => !(await isReady()));
  expect(await program.ended).toBe(0);
}, 60_000);

test('whoever is ready can be drained, while it still asks who it is', async () => {
  const silent = await listenSilently();
  const free = await listenSilently();
  await free.close();
  const program = launchProgramProcess({
    ...stage.environment(),
    HEALTH_PORT: String(free.port),
    ECS_CONTAINER_METADATA_URI_V4: `http://127.0.0.1:${silent.port}`,
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${free.port}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually(isReady, 20_000);
  expect(await program.stop()).toBe(0);
  await silent.close();
}, 60_000);

/** Takes every request, and answers none. */
async function listenSilently() {
  const server = createServer(() => undefined).listen(0);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
}
