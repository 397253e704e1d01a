import type OpenAI from 'openai';
import { eventually } from './eventually';
import { startProgramProcess, type ProgramProcess } from './program-process';
import { QUICK_TIMEOUTS } from './quick-timeouts';
import { chatBody, postRaw } from './raw-client';
import { attemptRows, openAiClient, setStage, type Stage } from './stage';
import { WIDE_QUOTAS } from './wide-quotas';

let stage: Stage;
let program: ProgramProcess;
let key = '';

const ASYNC = { prefer: 'respond-async' };
const SLOW = { firstTokenMs: 60_000, tokensPerSecond: 100 };
const OVERRIDES = {
  quotas: WIDE_QUOTAS,
  // Every rung but the last: a whole answer may take longer here than the shortest ladder lets it.
  timeouts: { ...QUICK_TIMEOUTS, chunkGapMs: 20_000, nonStreamingTotalMs: 20_000 },
  ledger: { leaseSeconds: 2, sweepSeconds: 600 },
} as const;

beforeAll(async () => {
  stage = await setStage();
  program = await startProgramProcess(stage.environment({ overrides: OVERRIDES }));
  ({ key } = await stage.newToken());
}, 60_000);

afterAll(async () => {
  await program.stop();
  await stage.close();
});
afterEach(() => {
  stage.bedrock.pace('instant');
});

interface Task {
  readonly task_id: string;
  readonly status: string;
  readonly [name: string]: unknown;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly task: Task;
}

async function ask(
  url = program.url,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const body = JSON.stringify(chatBody(more));
  const reply = await postRaw(url, key, body, { ...ASYNC, ...headers });
  return { ...reply, task: JSON.parse(reply.body) as Task };
}

async function poll(id: string, { url = program.url, as = key } = {}): Promise<Reply> {
  const reply = await fetch(`${url}/v1/chat/completions/${id}`, {
    headers: { authorization: `Bearer ${as}` },
  });
  const headers = Object.fromEntries(reply.headers);
  return { status: reply.status, headers, task: (await reply.json()) as Task };
}

const ended = (id: string, url = program.url): Promise<Reply> =>
  eventually(async () => {
    const reply = await poll(id, { url });
    return reply.task.status !== 'pending' && reply;
  }, 20_000);

test('a promise at once, the answer later: the same one that waiting brings', async () => {
  stage.bedrock.pace({ firstTokenMs: 300, tokensPerSecond: 1_000 });
  const promised = await ask(program.url, {}, { 'x-request-id': 'later-1' });
  expect(promised).toMatchObject({
    status: 202,
    task: { status: 'pending' },
    headers: {
      location: `/v1/chat/completions/${promised.task.task_id}`,
      'preference-applied': 'respond-async',
      'retry-after': '1',
    },
  });
  expect(Object.keys(promised.task).sort()).toEqual(['status', 'task_id']);
  expect(await poll(promised.task.task_id)).toMatchObject({
    status: 200,
    task: { status: 'pending' },
    headers: { 'retry-after': '1', 'cache-control': 'no-store' },
  });

  const { task, headers } = await ended(promised.task.task_id);
  expect(task).toMatchObject({
    object: 'chat.completion.task',
    status: 'completed',
    model: 'simple',
    result: {
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant' }, finish_reason: 'stop' }],
    },
  });
  expect(headers['x-served-by']).toContain('haiku');
  const settled = await eventually(async () => {
    const rows = await attemptRows(stage.pool, 'later-1');
    return rows[0]?.status === 'settled' && rows;
  });
  expect(settled).toMatchObject([{ outcome: 'completed' }]);
});

test('the official client asks and fetches with its own methods', async () => {
  const client = openAiClient(program.url, key);
  const messages = [{ role: 'user' as const, content: 'hello' }];
  const promise: unknown = await client.chat.completions.create(
    { model: 'simple', messages },
    { headers: ASYNC },
  );
  const { task_id } = promise as Task;
  await ended(task_id);
  const fetched: unknown = await client.chat.completions.retrieve(task_id);
  const { result } = fetched as { result: OpenAI.ChatCompletion };
  expect(result.choices[0]?.message.content).toBeTruthy();
});

test('a refusal and a failure are results, in the shape they would have had', async () => {
  const limited = await stage.newToken({ allowedModels: ['complex'] });
  const { body } = await postRaw(program.url, limited.key, JSON.stringify(chatBody()), ASYNC);
  const { task_id } = JSON.parse(body) as Task;
  const failed = await eventually(async () => {
    const reply = await poll(task_id, { as: limited.key });
    return reply.task.status !== 'pending' && reply;
  });
  expect(failed.status).toBe(200);
  expect(failed.task).toMatchObject({
    status: 'failed',
    error: { code: 'model_not_found', status: 403, param: null },
  });
});

test('what can be refused at once is: a stream, a bad request, a missing key', async () => {
  expect(await ask(program.url, { stream: true })).toMatchObject({
    status: 400,
    task: { error: { code: 'unsupported_value' } },
  });
  expect(await ask(program.url, { wit: 11 })).toMatchObject({ status: 400 });
  expect(await postRaw(program.url, 'nobody', JSON.stringify(chatBody()), ASYNC)).toMatchObject({
    status: 401,
  });
  expect((await poll('not-a-task')).status).toBe(404);
  const method = await fetch(`${program.url}/v1/chat/completions/x`, { method: 'PUT' });
  expect(method.status).toBe(405);
});

test('nobody but the user finds a task; their other tokens do', async () => {
  const { task } = await ask();
  await ended(task.task_id);
  const status = async (rights: object): Promise<number> =>
    (await poll(task.task_id, { as: (await stage.newToken(rights)).key })).status;
  expect(await status({})).toBe(200);
  expect(await status({ tenantId: 'tenant-2' })).toBe(404);
  expect(await status({ userId: 'user-2' })).toBe(404);
});

test('it has the limits of every call: a whole answer has its time, no more', async () => {
  const short = await startProgramProcess(
    stage.environment({ overrides: { quotas: WIDE_QUOTAS, timeouts: QUICK_TIMEOUTS } }),
  );
  stage.bedrock.pace(SLOW);
  const { task } = await ask(short.url);
  expect((await ended(task.task_id, short.url)).task).toMatchObject({
    status: 'failed',
    error: { code: 'timeout', status: 504 },
  });
  await short.stop();
}, 60_000);

test('kill -9: whoever is asked next says that it failed, and says so for ever', async () => {
  const doomed = await startProgramProcess(stage.environment({ overrides: OVERRIDES }));
  stage.bedrock.pace(SLOW);
  const { task } = await ask(doomed.url);
  await eventually(() => stage.bedrock.overlap().running === 1);
  expect((await poll(task.task_id)).task.status).toBe('pending');
  await doomed.stop('SIGKILL');

  const { task: lost } = await ended(task.task_id);
  expect(lost).toMatchObject({ status: 'failed', error: { code: 'task_lost', status: 500 } });
  expect((await poll(task.task_id)).task).toEqual(lost);
}, 60_000);

test('SIGTERM waits for what ends in time', async () => {
  const leaving = await startProgramProcess(stage.environment({ overrides: OVERRIDES }));
  stage.bedrock.pace({ firstTokenMs: 1_500, tokensPerSecond: 1_000 });
  const { task } = await ask(leaving.url);
  await eventually(() => stage.bedrock.overlap().running === 1);
  expect(await leaving.stop()).toBe(0);
  expect((await poll(task.task_id)).task.status).toBe('completed');
}, 60_000);

test('SIGTERM fails what does not end in time, explicitly', async () => {
  const drain = { drainSeconds: 9, stopTimeoutSeconds: 120, deregistrationDelaySeconds: 120 };
  const overrides = { ...OVERRIDES, orchestrator: { drain } };
  const leaving = await startProgramProcess(stage.environment({ overrides }));
  stage.bedrock.pace(SLOW);
  const { task } = await ask(leaving.url);
  await eventually(() => stage.bedrock.overlap().running === 1);
  expect(await leaving.stop()).toBe(0);
  expect((await poll(task.task_id)).task).toMatchObject({
    status: 'failed',
    error: { code: 'service_unavailable', status: 503 },
  });
}, 60_000);
