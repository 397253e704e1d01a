/** What goes wrong between the official client and a model, and how the client hears of it. */
import OpenAI from 'openai';
import { ledgerRows } from '../../chaos/harness/collect-evidence';
import { eventually } from '../../chaos/harness/eventually';
import { offeredModels } from '../../chaos/harness/offered-models';
import { testPlatform } from '../../chaos/harness/test-platform';
import { collected, says } from './samples';
import { clusterForSuite } from './suite-cluster';

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

describe('errors', () => {
  const failure = (call: Promise<unknown>): Promise<unknown> =>
    call.catch((error: unknown) => error);
  const ask = (body: object, options = {}): Promise<unknown> =>
    failure(
      client(options).chat.completions.create({
        model: 'simple',
        messages: says('hello'),
        ...body,
      }),
    );

  test.each([
    [
      'a key nobody issued',
      {},
      { apiKey: 'mts_nobody' },
      OpenAI.AuthenticationError,
      'invalid_api_key',
      null,
    ],
    ['a model nobody has', { model: 'gpt-2' }, {}, OpenAI.NotFoundError, 'model_not_found', null],
    ['two answers', { n: 2 }, {}, OpenAI.BadRequestError, undefined, 'n'],
    ['an unknown parameter', { wit: 11 }, {}, OpenAI.BadRequestError, undefined, 'wit'],
    ['no messages', { messages: [] }, {}, OpenAI.BadRequestError, undefined, 'messages'],
    [
      'an image on the network',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'http://169.254.169.254/' } }],
          },
        ],
      },
      {},
      OpenAI.BadRequestError,
      undefined,
      'messages[0].content[0].image_url.url',
    ],
  ])('%s: %o', async (_, body, options, kind, code, param) => {
    const error = await ask(body, options);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({
      ...(code !== undefined && { code }),
      ...(param !== null && { param }),
    });
  });

  test('harmless parameters are ignored', async () => {
    const harmless = { user: 'u-1', metadata: { a: 'b' }, store: false };
    expect(await ask(harmless)).toHaveProperty('choices');
  });

  test('a prompt beyond the context is told as OpenAI tells it', async () => {
    const error = await ask({ messages: says('word '.repeat(210_000)) });
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: 'context_length_exceeded' });
  });

  test('a model that is full everywhere is worth a retry, which the client makes by itself', async () => {
    const rule = { script: { name: 'throttle' }, when: { promptContains: 'full-house' } } as const;
    cluster().bedrock.script({ ...rule, times: 3 });
    const messages = says('full-house');
    expect(await ask({ messages }, { maxRetries: 3 })).toHaveProperty('choices');
    cluster().bedrock.script({ ...rule, times: 20 });
    const error = await ask({ messages });
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 503, code: 'overloaded' });
  });

  test('a stream that breaks off says so', async () => {
    const script = { name: 'stream-internal-error', afterTokens: 4 } as const;
    cluster().bedrock.script({ script, when: { promptContains: 'break-off' } });
    const messages = says('break-off');
    const stream = await client().chat.completions.create({
      model: 'simple',
      messages,
      stream: true,
    });
    const words: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const { choices } of stream) words.push(choices[0]?.delta.content ?? '');
    };
    await expect(reading()).rejects.toMatchObject({ code: 'upstream_error' });
    expect(words.filter(Boolean)).toHaveLength(4);
  });
});

describe('a client that leaves', () => {
  beforeAll(() => cluster().bedrock.pace({ firstTokenMs: 5, tokensPerSecond: 100 }));
  afterAll(() => cluster().bedrock.pace('instant'));

  /** The latest call, once the model knows that nobody waits for it. */
  const stopped = () =>
    eventually('the model is stopped', () => {
      const entry = cluster().bedrock.ledger().at(-1);
      return entry?.peerClosedAtMs === undefined ? undefined : entry;
    });

  const expectAbandoned = async (leftAtMs: number): Promise<void> => {
    const { attemptId, peerClosedAtMs = Infinity, tokensEmitted } = await stopped();
    expect(peerClosedAtMs - leftAtMs).toBeLessThan(1_000);
    const row = await eventually('its row is settled', async () =>
      (await ledgerRows(cluster().pool)).find(
        (it) => it.attemptId === attemptId && it.status !== 'reserved',
      ),
    );
    expect(row).toMatchObject({ status: 'estimated', outcome: 'client-gone' });
    expect(row.outputTokens).toBeLessThanOrEqual(tokensEmitted);
  };

  const askedTheModel = async (): Promise<void> => {
    await eventually('the model is asked', () => cluster().bedrock.overlap().running === 1);
  };

  test('in the middle of a stream stops the model within a second', async () => {
    const script = { name: 'ok', tokens: 400 } as const;
    cluster().bedrock.script({ script, when: { promptContains: 'leave-stream' } });
    const messages = says('leave-stream');
    const stream = await client().chat.completions.create({
      model: 'simple',
      messages,
      stream: true,
    });
    for await (const { choices } of stream) if (choices[0]?.delta.content) break;
    await expectAbandoned(Date.now());
  });

  test('while it waits for a whole answer stops the model within a second', async () => {
    const script = { name: 'thinking-pause', pauseMs: 5_000 } as const;
    cluster().bedrock.script({ script, when: { promptContains: 'leave-whole' } });
    const controller = new AbortController();
    const call = client().chat.completions.create(
      { model: 'simple', messages: says('leave-whole') },
      { signal: controller.signal },
    );
    const failed = expect(call).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    await askedTheModel();
    controller.abort();
    await failed;
    await expectAbandoned(Date.now());
  });

  test('out of patience stops the model, too', async () => {
    const script = { name: 'thinking-pause', pauseMs: 5_000 } as const;
    cluster().bedrock.script({ script, when: { promptContains: 'be-quick' } });
    const call = client({ timeout: 300 }).chat.completions.create({
      model: 'simple',
      messages: says('be-quick'),
    });
    await expect(call).rejects.toBeInstanceOf(OpenAI.APIConnectionError);
    await expectAbandoned(Date.now());
  });
});

describe('time', () => {
  const hanging = (marker: string, name: 'hang-before-headers' | 'hang-after-metadata'): void =>
    cluster().bedrock.script({ script: { name }, times: 20, when: { promptContains: marker } });

  test('a model that never begins is given up, whole or streamed, with a clear error', async () => {
    hanging('never-begin', 'hang-after-metadata');
    hanging('never-answer', 'hang-before-headers');
    const chat = client().chat.completions;
    const reason = (error: unknown): unknown => error;
    const streamed = chat
      .create({ model: 'simple', messages: says('never-begin'), stream: true })
      .then(collected)
      .catch(reason);
    const whole = chat.create({ model: 'simple', messages: says('never-answer') }).catch(reason);
    expect(await streamed).toBeInstanceOf(OpenAI.APIError);
    expect(await streamed).toMatchObject({ code: 'timeout' });
    expect(await whole).toMatchObject({ status: 504, code: 'timeout' });
  }, 20_000);
});
