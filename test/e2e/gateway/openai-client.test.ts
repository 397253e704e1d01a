/** The official client, unmodified, against the running service: what works with OpenAI works here. */
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { offeredModels } from '../../chaos/harness/offered-models';
import { testPlatform } from '../../chaos/harness/test-platform';
import { clusterForSuite } from './suite-cluster';
import { collected, LOOK_UP, RED_PIXEL, says } from './samples';

const cluster = clusterForSuite({
  gateways: 1,
  platform: testPlatform(),
  bedrock: { models: offeredModels(), pacing: 'instant' },
});

let apiKey = '';
beforeAll(async () => {
  apiKey = (await cluster().issueToken()).plaintext;
});

const client = (options: Partial<ConstructorParameters<typeof OpenAI>[0]> = {}): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${cluster().gateway(0).url}/v1`, maxRetries: 0, ...options });

/** What the model really said to the last call. */
const lastUpstream = () => {
  const entry = cluster().bedrock.ledger().at(-1);
  if (!entry) throw new Error('no model was called');
  return entry;
};

describe('a chat', () => {
  test('has the words and the usage of the model, and names who answered', async () => {
    const { data, response } = await client()
      .chat.completions.create({ model: 'simple', messages: says('hello') })
      .withResponse();
    const { text, usageSent, model } = lastUpstream();
    expect(data.choices[0]?.message.content).toBe(text);
    expect(data.choices[0]?.finish_reason).toBe('stop');
    expect(data.usage).toMatchObject({
      prompt_tokens: usageSent?.inputTokens,
      completion_tokens: usageSent?.outputTokens,
      total_tokens: usageSent?.totalTokens,
    });
    expect(data.model).toBe(model);
    expect(response.headers.get('x-served-by')).toBe(`${model}@ap-northeast-1`);
    expect(response.headers.get('x-ratelimit-remaining-requests')).toMatch(/^\d+$/);
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
  });

  test('remembers instructions and earlier turns', async () => {
    const messages: ChatCompletionMessageParam[] = [
      { role: 'system', content: 'You sell manga.' },
      { role: 'user', content: 'Is volume three out?' },
      { role: 'assistant', content: 'It is.' },
      { role: 'user', content: 'And four?' },
    ];
    await client().chat.completions.create({ model: 'complex', messages, temperature: 0.2 });
    const short = lastUpstream().inputTokens;
    await client().chat.completions.create({ model: 'complex', messages: says('And four?') });
    expect(lastUpstream().inputTokens).toBeLessThan(short);
  });

  test.each(['max_tokens', 'max_completion_tokens'])('ends at %s', async (limit) => {
    const asked = { model: 'simple', messages: says('Tell me all'), [limit]: 5 };
    const { choices, usage } = await client().chat.completions.create(asked);
    expect(choices[0]?.finish_reason).toBe('length');
    expect(usage?.completion_tokens).toBe(5);
  });

  test('ends at a stop sequence', async () => {
    const scripted = { name: 'ok', text: 'one two STOP three' } as const;
    cluster().bedrock.script({ script: scripted, when: { promptContains: 'count-to-stop' } });
    const { choices } = await client().chat.completions.create({
      model: 'simple',
      messages: says('count-to-stop'),
      stop: ['STOP'],
    });
    expect(choices[0]?.message.content).not.toContain('STOP');
    expect(choices[0]?.finish_reason).toBe('stop');
  });

  test('answers in JSON where that is asked for', async () => {
    const { choices } = await client().chat.completions.create({
      model: 'complex',
      messages: says('Describe a title as JSON'),
      response_format: { type: 'json_object' },
    });
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual(expect.any(Object));
  });

  test('keeps to a JSON schema', async () => {
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, volumes: { type: 'integer' } },
      required: ['title', 'volumes'],
      additionalProperties: false,
    };
    const { choices } = await client().chat.completions.create({
      model: 'complex',
      messages: says('Describe a title'),
      response_format: { type: 'json_schema', json_schema: { name: 'title', schema } },
    });
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({
      title: expect.any(String) as string,
      volumes: expect.any(Number) as number,
    });
  });

  test('looks at images', async () => {
    const asked = (parts: object[]) => ({ role: 'user', content: parts });
    const words = { type: 'text', text: 'Which cover is this?' };
    const image = { type: 'image_url', image_url: { url: RED_PIXEL } };
    for (const parts of [[words], [words, image]]) {
      const messages = [asked(parts)] as ChatCompletionMessageParam[];
      await client().chat.completions.create({ model: 'complex', messages });
    }
    const [without, withImage] = cluster().bedrock.ledger().slice(-2);
    expect(withImage?.inputTokens).toBeGreaterThan(without?.inputTokens ?? Infinity);
  });
});

describe('a stream', () => {
  test('brings the words as they come, then the reason, then the usage', async () => {
    const stream = await client().chat.completions.create({
      model: 'simple',
      messages: says('hello'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collected(stream);
    const { text, usageSent } = lastUpstream();
    const words = chunks.map(({ choices }) => choices[0]?.delta.content ?? '');
    expect(words.join('')).toBe(text);
    expect(words.filter(Boolean).length).toBeGreaterThan(10);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(usageSent?.outputTokens);
  });

  test('survives a long silence of the model', async () => {
    const script = { name: 'thinking-pause', pauseMs: 900 } as const;
    cluster().bedrock.script({ script, when: { promptContains: 'think-long' } });
    const messages = says('think-long');
    const stream = await client().chat.completions.create({
      model: 'simple',
      messages,
      stream: true,
    });
    const chunks = await collected(stream);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).not.toBe('');
  });

  test('cannot be broken by what a model says', async () => {
    const script = { name: 'nasty-text' } as const;
    cluster().bedrock.script({ script, when: { promptContains: 'be-nasty' } });
    const messages = says('be-nasty');
    const stream = await client().chat.completions.create({
      model: 'simple',
      messages,
      stream: true,
    });
    const chunks = await collected(stream);
    const words = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(words).toBe(lastUpstream().text);
    expect(words).toContain('data: [DONE]');
  });
});

describe('tools', () => {
  const toolScript = (marker: string): void =>
    cluster().bedrock.script({ script: { name: 'tool-use' }, when: { promptContains: marker } });

  test('go round: asked for, called, told about', async () => {
    toolScript('use-a-tool');
    const tools = [LOOK_UP];
    const question = says('use-a-tool');
    const asked = { model: 'complex', messages: question, tools };
    const first = await client().chat.completions.create(asked);
    const [choice] = first.choices;
    const [call] = choice?.message.tool_calls ?? [];
    if (!choice || call?.type !== 'function') throw new Error('no tool was called');
    expect(choice.finish_reason).toBe('tool_calls');
    expect(call.function.name).toBe('look_up_title');
    expect(JSON.parse(call.function.arguments)).toHaveProperty('title');

    const told: ChatCompletionMessageParam[] = [
      ...question,
      choice.message,
      { role: 'tool', tool_call_id: call.id, content: '{"stock": 3}' },
    ];
    const second = await client().chat.completions.create({ ...asked, messages: told });
    expect(second.choices[0]?.finish_reason).toBe('stop');
    expect(second.choices[0]?.message.content).toBe(lastUpstream().text);
  });

  test('come in pieces on a stream, and the pieces are JSON', async () => {
    toolScript('stream-a-tool');
    const messages = says('stream-a-tool');
    const final = await client()
      .chat.completions.stream({ model: 'complex', messages, tools: [LOOK_UP] })
      .finalChatCompletion();
    const [call] = final.choices[0]?.message.tool_calls ?? [];
    if (call?.type !== 'function') throw new Error('no tool was called');
    expect(JSON.parse(call.function.arguments)).toHaveProperty('title');
  });
});

describe('the list of models', () => {
  test('has the aliases and the catalogue', async () => {
    const names = (await client().models.list()).data.map(({ id }) => id);
    expect(names).toEqual(
      expect.arrayContaining(['simple', 'complex', 'jp.anthropic.claude-sonnet-5']),
    );
    expect(await client().models.retrieve('simple')).toMatchObject({
      id: 'simple',
      object: 'model',
    });
  });

  test('has what the key may use', async () => {
    const { plaintext } = await cluster().issueToken({ allowedModels: ['simple'] });
    const limited = client({ apiKey: plaintext });
    expect((await limited.models.list()).data.map(({ id }) => id)).toContain('simple');
    expect((await limited.models.list()).data.map(({ id }) => id)).not.toContain('complex');
    const call = limited.chat.completions.create({ model: 'complex', messages: says('hello') });
    await expect(call).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
  });
});
