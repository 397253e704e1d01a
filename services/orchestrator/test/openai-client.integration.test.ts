import OpenAI from 'openai';
import { eventually } from './eventually';
import { startProgramProcess, type ProgramProcess } from './program-process';
import { attemptRows, openAiClient, setStage, type Stage } from './stage';

let stage: Stage;
let program: ProgramProcess;
let client: OpenAI;

beforeAll(async () => {
  stage = await setStage();
  program = await startProgramProcess(stage.environment());
  const { key } = await stage.newToken();
  client = openAiClient(program.url, key);
}, 60_000);

afterAll(async () => {
  await program.stop();
  await stage.close();
});

const question = { role: 'user', content: 'Which volume comes after the twelfth?' } as const;
const latest = () => stage.bedrock.ledger().at(-1);

test('answers a chat, and says who answered', async () => {
  const { data, response } = await client.chat.completions
    .create({ model: 'simple', messages: [{ role: 'system', content: 'Be brief.' }, question] })
    .withResponse();
  expect(data.choices[0]?.message.content).toBe(latest()?.text);
  expect(data.choices[0]?.finish_reason).toBe('stop');
  expect(data.model).toBe(latest()?.model);
  expect(response.headers.get('x-served-by')).toBe(`${latest()?.model}@ap-northeast-1`);
  expect(Number(response.headers.get('x-ratelimit-remaining-requests'))).toBeGreaterThan(0);
});

test('records what an answer cost, to the token', async () => {
  const { data, response } = await client.chat.completions
    .create({ model: 'complex', messages: [question] })
    .withResponse();
  const requestId = response.headers.get('x-request-id') ?? '';
  const row = await eventually(async () => {
    const [settled] = await attemptRows(stage.pool, requestId);
    return settled?.status === 'settled' ? settled : undefined;
  });
  expect(row).toMatchObject({
    outcome: 'completed',
    input: data.usage?.prompt_tokens,
    output: data.usage?.completion_tokens,
    attempt_id: latest()?.attemptId,
  });
  expect(row.output).toBe(latest()?.tokensEmitted);
});

test('streams a chat, with its usage where asked', async () => {
  const stream = await client.chat.completions.create({
    model: 'simple',
    messages: [question],
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = '';
  let usage: OpenAI.CompletionUsage | null | undefined;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? '';
    usage = chunk.usage;
  }
  expect(text).toBe(latest()?.text);
  expect(usage?.completion_tokens).toBe(latest()?.tokensEmitted);
});

const stockTool: OpenAI.ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'find_stock',
    description: 'Looks a title up',
    parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  },
};

test('calls tools, streamed and not, and takes their results', async () => {
  const tool_choice = 'required' as const;
  const request = { model: 'simple', messages: [question], tools: [stockTool], tool_choice };
  const whole = await client.chat.completions.create(request);
  const call = whole.choices[0]?.message.tool_calls?.[0];
  if (call?.type !== 'function') throw new Error('no call');
  expect(call.function.name).toBe('find_stock');
  expect(() => JSON.parse(call.function.arguments) as unknown).not.toThrow();

  const streamed = await client.chat.completions.stream(request).finalChatCompletion();
  expect(streamed.choices[0]?.message.tool_calls).toMatchObject([
    { type: 'function', function: { name: 'find_stock' } },
  ]);
  expect(streamed.choices[0]?.finish_reason).toBe('tool_calls');

  const answer = await client.chat.completions.create({
    model: 'simple',
    tools: [stockTool],
    messages: [
      question,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: 'three copies' },
    ],
  });
  expect(answer.choices[0]?.message.content).toBeTruthy();
});

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('looks at images', async () => {
  const answer = await client.chat.completions.create({
    model: 'simple',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        ],
      },
    ],
  });
  expect(answer.choices[0]?.message.content).toBeTruthy();
});

test('lists the models a caller may ask, and shows one', async () => {
  const { key } = await stage.newToken({ allowedModels: ['simple'] });
  const restricted = openAiClient(program.url, key);
  const names = (await restricted.models.list()).data.map(({ id }) => id);
  expect(names).toEqual(['simple']);
  await expect(restricted.models.retrieve('simple')).resolves.toMatchObject({ id: 'simple' });
  await expect(restricted.models.retrieve('complex')).rejects.toMatchObject({ status: 404 });
  await expect(
    restricted.chat.completions.create({ model: 'complex', messages: [question] }),
  ).rejects.toMatchObject({ status: 403 });
});

test.each([
  ['an unknown key', { apiKey: 'mts_nonsense' }, {}, OpenAI.AuthenticationError],
  ['an unknown model', {}, { model: 'gpt-9' }, OpenAI.NotFoundError],
  ['a senseless parameter', {}, { temperature: 9 }, OpenAI.BadRequestError],
  ['a parameter of another meaning', {}, { n: 2 }, OpenAI.BadRequestError],
])('refuses %s the way OpenAI does', async (_, options, changes, error) => {
  const asked = { model: 'simple', messages: [question], ...changes };
  const call = client.withOptions(options).chat.completions.create(asked);
  await expect(call).rejects.toBeInstanceOf(error);
});

test('stops the model when a client aborts', async () => {
  stage.bedrock.pace({ firstTokenMs: 0, tokensPerSecond: 20 });
  try {
    const stream = await client.chat.completions.create({
      model: 'simple',
      messages: [question],
      stream: true,
    });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    const leftAtMs = Date.now();
    const entry = latest();
    await eventually(() => entry?.outcome === 'aborted');
    expect(Date.now() - leftAtMs).toBeLessThan(1_000);
    const row = await eventually(async () => {
      const rows = await stage.pool.query<{ status: string; outcome: string; output: number }>({
        text: `SELECT status, outcome, output_tokens::int AS output FROM usage_attempts WHERE attempt_id = $1`,
        values: [entry?.attemptId],
      });
      return rows[0]?.status === 'reserved' ? undefined : rows[0];
    });
    expect(row).toMatchObject({ status: 'estimated', outcome: 'client-gone' });
    expect(row.output).toBeGreaterThanOrEqual(1);
    expect(row.output).toBeLessThanOrEqual(entry?.tokensEmitted ?? 0);
    await program.said((line) => line['client_disconnected'] === true);
  } finally {
    stage.bedrock.pace('instant');
  }
});

test('says nothing of prompts and keys in its log', () => {
  const everything = JSON.stringify(program.log);
  expect(everything).not.toContain('Which volume');
  expect(everything).not.toContain('mts_');
});
