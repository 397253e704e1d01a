import { freshDatabase, requireRedis, startPostgres, startRedis } from '@matsuri/local';
import type { RunningPostgres, RunningRedis } from '@matsuri/local';
import { eventually } from './eventually';
import { startProgramProcess, type ProgramProcess } from './program-process';
import { chatBody, postRaw } from './raw-client';
import { setStage, type Stage } from './stage';
import { WIDE_QUOTAS } from './wide-quotas';

let postgres: RunningPostgres;
let redis: RunningRedis;
let stage: Stage;
let program: ProgramProcess;
let key: string;

beforeAll(async () => {
  postgres = await startPostgres({ durable: false });
  redis = requireRedis(await startRedis());
  const database = await freshDatabase(postgres.url);
  stage = await setStage({ databaseUrl: database.url });
  const overrides = { quotas: WIDE_QUOTAS, gateway: { burstRequests: 1_000 } };
  program = await startProgramProcess(stage.environment({ overrides, redisUrl: redis.url }));
  ({ key } = await stage.newToken());
}, 120_000);

afterAll(async () => {
  await program.stop();
  await stage.close();
  await redis.close();
  await postgres.close();
}, 30_000);

beforeEach(() => stage.bedrock.reset());

const ask = () => postRaw(program.url, key, JSON.stringify(chatBody()));
const sharedLimit = (to: string, since: number) =>
  program.said(
    (line) =>
      line['msg'] === 'shared limit' && line['to'] === to && program.log.indexOf(line) >= since,
  );

test('without PostgreSQL nothing is asked of a model, and callers learn when to come back', async () => {
  expect((await ask()).status).toBe(200);
  await postgres.stopImmediately();
  stage.bedrock.reset();
  const refused = await Promise.all(Array.from({ length: 10 }, ask));
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503));
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(stage.bedrock.ledger()).toHaveLength(0);
  await postgres.restart();
  await eventually(async () => (await ask()).status === 200, 10_000);
}, 60_000);

test('without Redis calls go on within the share of this task; with it the shared limits are back in five seconds', async () => {
  expect((await ask()).status).toBe(200);
  const before = program.log.length;
  await redis.kill();
  const replies = await Promise.all(Array.from({ length: 10 }, ask));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  await sharedLimit('open', before);

  const back = program.log.length;
  await redis.restart();
  const restartedAtMs = performance.now();
  await eventually(async () => {
    expect((await ask()).status).toBe(200);
    return program.log
      .slice(back)
      .some((line) => line['msg'] === 'shared limit' && line['to'] === 'closed');
  }, 10_000);
  expect(performance.now() - restartedAtMs).toBeLessThan(5_000);
}, 60_000);

test('an answer that began before the database went is finished, and recorded when it is back', async () => {
  stage.bedrock.script({ script: { tokens: 10 } });
  stage.bedrock.pace({ firstTokenMs: 300, tokensPerSecond: 50 });
  const answering = ask();
  await eventually(() => stage.bedrock.ledger().length === 1);
  await postgres.stopImmediately();
  expect((await answering).status).toBe(200);
  stage.bedrock.pace('instant');
  const attemptId = stage.bedrock.ledger()[0]?.attemptId;
  await postgres.restart();
  const row = await eventually(async () => {
    const [seen] = await stage.pool
      .query<{ status: string; output: number }>({
        text: 'SELECT status, output_tokens::int AS output FROM usage_attempts WHERE attempt_id = $1',
        values: [attemptId],
      })
      .catch(() => []);
    return seen?.status === 'settled' ? seen : undefined;
  }, 20_000);
  expect(row.output).toBe(stage.bedrock.ledger()[0]?.tokensEmitted);
}, 60_000);

test('both gone, both back', async () => {
  await Promise.all([postgres.stopImmediately(), redis.kill()]);
  expect((await ask()).status).toBe(503);
  await Promise.all([postgres.restart(), redis.restart()]);
  await eventually(async () => (await ask()).status === 200, 10_000);
}, 60_000);
