import fc from 'fast-check';

import { redact, redactText } from './redact';
import { REDACT_LIMITS } from './redaction-walk';

const shown = (value: unknown): string => JSON.stringify(redact(value));

const apiToken = fc.stringMatching(/^[A-Za-z0-9_-]{43,50}$/).map((random) => `mts_${random}`);

/** Nobody's word: long enough that it cannot appear by chance. */
const canary = fc.stringMatching(/^CANARY[a-z0-9]{24}$/);

const fragment = fc.string({ unit: 'binary', maxLength: 40 });

/** A random object with something planted somewhere inside it, by one of many ways. */
function around(planted: unknown): fc.Arbitrary<unknown> {
  const { tree } = fc.letrec<{ tree: unknown; branch: unknown }>((tie) => ({
    tree: fc.oneof({ depthSize: 'small' }, fc.constant(planted), tie('branch')),
    branch: fc.oneof(
      fc.tuple(fc.jsonValue(), tie('tree')),
      fc
        .tuple(fc.string({ maxLength: 12 }), tie('tree'), fc.jsonValue())
        .map(([key, inner, other]) => ({ other, [key]: inner })),
      tie('tree').map((inner) => new Map([['entry', inner]])),
      tie('tree').map((inner) => new Set([inner])),
      tie('tree').map((inner) => new Error('failed', { cause: inner })),
      tie('tree').map((inner) => Object.assign(new Error('failed'), { detail: inner })),
      tie('tree').map((inner) => new AggregateError([inner], 'several')),
      tie('tree').map((inner) => ({ nested: JSON.stringify({ inner }) })),
    ),
  }));
  return tree;
}

const SECRET_FIELDS = [
  'authorization',
  'Authorization',
  'Proxy-Authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'apiKey',
  'API_KEY',
  'token',
  'accessToken',
  'refresh_token',
  'x-amz-security-token',
  'password',
  'DB_PASSWORD',
  'passwordHash',
  'secret',
  'clientSecret',
  'SecretString',
  'secretAccessKey',
  'credentials',
  'awsCredentials',
  'privateKey',
];
const PROMPT_FIELDS = [
  'prompt',
  'systemPrompt',
  'messages',
  'message',
  'content',
  'completion',
  'system',
  'text',
  'inputText',
  'question',
  'answer',
  'history',
  'body',
];

describe('a token', () => {
  test('never comes out, wherever in a random object and inside whatever text it was', () => {
    fc.assert(
      fc.property(
        apiToken.chain((token) =>
          fc
            .tuple(fragment, fragment)
            .chain(([before, after]) => around(`${before} ${token} ${after}`))
            .map((value) => ({ token, value })),
        ),
        ({ token, value }) => !shown(value).includes(token),
      ),
      { numRuns: 500 },
    );
  });

  test('does not come out of keys, error messages, stacks, symbols or URLs', () => {
    const token = `mts_${'a1B2'.repeat(11)}`;
    const places: unknown[] = [
      { [token]: 1 },
      new Map([[token, 1]]),
      new Error(`no such token ${token}`),
      new Error('outer', { cause: new Error(token) }),
      Object.assign(new Error('x'), { code: token, name: token }),
      Symbol(token),
      new URL(`https://example.com/?t=${token}`),
      [[[[{ deep: `a${token}b` }]]]],
    ];
    for (const place of places) expect(shown(place)).not.toContain(token);
  });

  test('does not survive a cut through its middle', () => {
    fc.assert(
      fc.property(apiToken, fc.integer({ min: 3_900, max: 4_200 }), (token, at) => {
        return !redactText(`${'x'.repeat(at)} ${token} tail`).includes(token.slice(4, 14));
      }),
    );
  });

  test('known only by where it ends does not survive a cut before its end', () => {
    const shrinking = fc.constantFrom('x', `mts_${'y'.repeat(60)} `);
    fc.assert(
      fc.property(shrinking, fc.integer({ min: 3_900, max: 6_300 }), (filler, at) => {
        const before = filler.repeat(200_000).slice(0, at);
        const text = `${before} postgres://app:${'CANARY'.repeat(30)}@db/x${'z'.repeat(9_000)}`;
        return !redactText(text).includes('CANARY');
      }),
    );
  });
});

describe('a field whose name says that it is sensitive', () => {
  test('is hidden at any depth, whatever it holds', () => {
    const planted = fc
      .tuple(canary, fc.constantFrom(...SECRET_FIELDS, ...PROMPT_FIELDS))
      .chain(([word, field]) => {
        const member = fc.constantFrom<unknown>(
          word,
          [word],
          { role: 'user', parts: [{ value: word }] },
          new Error(word),
          new Map([[word, word]]),
        );
        return member
          .chain((value) => around({ [field]: value }))
          .map((value) => ({ word, value }));
      });
    fc.assert(
      fc.property(planted, ({ word, value }) => !shown(value).includes(word)),
      { numRuns: 500 },
    );
  });

  test.each([...SECRET_FIELDS, ...PROMPT_FIELDS])('%s', (field) => {
    expect(shown({ [field]: 'CANARY' })).not.toContain('CANARY');
  });

  test.each([
    ['inputTokens', 12],
    ['max_tokens', 300],
    ['prompt_tokens', 7],
    ['tokensPerSecond', 900],
    ['contentLength', 10],
    ['content-type', 'text/event-stream'],
    ['statusText', 'OK'],
    ['secretArn', 'arn:aws:secretsmanager:ap-northeast-1:1:secret:db'],
    ['turns', 10],
    ['hasPassword', true],
  ])('but %s is not sensitive', (field, value) => {
    expect(redact({ [field]: value })).toEqual({ [field]: value });
  });

  test('tells how long a prompt was', () => {
    expect(redact({ prompt: '12345' })).toEqual({ prompt: '[redacted 5 chars]' });
  });

  test('shows prompts when a developer asks, and still no secrets', () => {
    const value = { prompt: 'hello', password: 'hunter2', note: '{"content":"hi","token":"abc"}' };
    expect(redact(value, { showPrompts: true })).toEqual({
      prompt: 'hello',
      password: '[redacted]',
      note: '{"content":"hi","token":"[redacted]"}',
    });
  });

  test.each([
    ['an ECS variable', { name: 'DB_PASSWORD', value: 'CANARY' }],
    ['a header pair', [['authorization', 'CANARY']]],
    ['raw headers', ['Host', 'example.com', 'Cookie', 'CANARY']],
    ['fetch headers', new Headers({ 'x-api-key': 'CANARY' })],
    ['a query', new URLSearchParams({ token: 'CANARY' })],
  ])('is found in %s', (_, value) => {
    expect(shown(value)).not.toContain('CANARY');
  });
});

describe('free text', () => {
  test.each([
    ['Authorization: Bearer CANARYCANARY', 'Authorization: [redacted]'],
    ['sent Bearer CANARY.CANARY.x to upstream', 'sent Bearer [redacted] to upstream'],
    ['redis://:CANARY@cache:6379/0', 'redis://:[redacted]@cache:6379/0'],
    ['postgres://app:CAN@A/RY@db:5432/x down', 'postgres://app:[redacted]@db:5432/x down'],
    ['https://me:CANARY@host/p?q=a@b', 'https://me:[redacted]@host/p?q=a@b'],
    ['GET /x?token=CANARY&page=2', 'GET /x?token=[redacted]&page=2'],
    ["password='CANARY' rejected", 'password=[redacted] rejected'],
    ['key AKIAABCDEFGHIJKLMNOP is old', 'key [redacted] is old'],
    [
      'bad request: {"model":"m","content":"CANARY',
      'bad request: {"model":"m","content":"[redacted]"',
    ],
    ['{\\"prompt\\":\\"CANARY \\\\\\"x\\"}', '{\\"prompt\\":\\"[redacted]\\"}'],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test.each([
    'https://host:443/path?email=a@b.c',
    'Unexpected token < in JSON at position 0',
    'password authentication failed for user "app"',
    'took 12 ms: 3 rows',
  ])('is left alone: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  test('is shown up to its limit, and how long it was', () => {
    expect(redactText('x'.repeat(10_000))).toBe(`${'x'.repeat(4_096)}…[10000 chars]`);
  });

  test('hides a private key, even one that does not end', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nCANARY\nCANARY';
    expect(redactText(`loaded ${key}`)).toBe('loaded [redacted]');
  });

  test('hides any password of any connection string', () => {
    const password = fc.stringMatching(/^[\w!$%*+.~^-]{12,60}$/);
    fc.assert(
      fc.property(fragment, password, (before, secret) => {
        return !redactText(`${before} postgres://app:${secret}@db/x`).includes(secret);
      }),
    );
  });
});

describe('terminal commands', () => {
  test('are shown as text, whatever the alphabet of the terminal', () => {
    expect(redactText('\u001b]52;c;aGk=\u0007 \u009b31m \u007f \u202e a\r\nb')).toBe(
      '\\x1b]52;c;aGk=\\x07 \\x9b31m \\x7f \\u202e a\\r\nb',
    );
  });

  test('do not come out of any object', () => {
    fc.assert(
      fc.property(
        fc.object({ key: fragment, values: [fragment] }),
        (value) => !/[^\P{Cc}\n\t]/u.test(JSON.stringify(redact(value))),
      ),
    );
  });
});

describe('hostile objects', () => {
  test('circles, throwing getters, revoked proxies, big integers and functions are named', () => {
    const circle: Record<string, unknown> = { level: 1 };
    circle['self'] = circle;
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const value = {
      circle,
      revoked: proxy,
      get trap(): never {
        throw new Error('no');
      },
      big: 12n,
      huge: 2n ** 4096n,
      nan: Number.NaN,
      bytes: Buffer.from('CANARY'),
      never: undefined,
      call: () => 1,
      when: new Date(0),
      nonsense: new Date(Number.NaN),
    };
    expect(redact(value)).toEqual({
      circle: { level: 1, self: '[circular]' },
      revoked: '[unreadable]',
      trap: '[getter threw]',
      big: '12',
      huge: '[bigint]',
      nan: 'NaN',
      bytes: '[6 bytes]',
      call: '[function]',
      when: '1970-01-01T00:00:00.000Z',
      nonsense: 'Invalid Date',
    });
  });

  test('an endless proxy ends', () => {
    const endless: object = new Proxy(
      {},
      {
        get: () => endless,
        ownKeys: () => ['a', 'b'],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    );
    const fresh = (): object =>
      new Proxy(
        {},
        {
          get: fresh,
          ownKeys: () => ['a', 'b'],
          getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
        },
      );
    expect(shown(endless)).toContain('circular');
    expect(shown(fresh()).length).toBeLessThan(64_000);
  });

  test('what is too much to show is not even read', () => {
    let reads = 0;
    const tree = (depth: number, node: object): object => {
      const get = (): object => {
        reads += 1;
        return tree(depth - 1, new Error('failed'));
      };
      for (const name of depth === 0 ? [] : ['a', 'b', 'c', 'd', 'e', 'f']) {
        Object.defineProperty(node, name, { enumerable: true, get });
      }
      return node;
    };
    shown(tree(6, new Error('failed')));
    expect(reads).toBeLessThan(2_000);
  });

  test('a member called __proto__ stays a member', () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
    expect(shown(value)).toBe('{"__proto__":{"polluted":true}}');
  });

  test('never throws and stays bounded', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withMap: true,
          withNullPrototype: true,
          withTypedArray: true,
          withSet: true,
          withDate: true,
          withSparseArray: true,
        }),
        (value) => {
          return shown(value).length < 10 * REDACT_LIMITS.totalChars;
        },
      ),
    );
  });

  test.each([
    ['a long string', 'x'.repeat(10_000_000)],
    ['a long list', new Array<number>(1_000_000).fill(1.2345678901)],
    [
      'a wide object',
      Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${String(i)}`, i])),
    ],
    [
      'lists of lists',
      Array.from({ length: 64 }, () =>
        Array.from({ length: 64 }, () => new Array<number>(64).fill(0.1)),
      ),
    ],
    ['a large map', new Map(Array.from({ length: 50_000 }, (_, i) => [i, i]))],
    ['many strings', new Array<string>(64).fill('y'.repeat(5_000))],
  ])('%s is cut to size and says so', (_, value) => {
    const text = shown(value);
    expect(text.length).toBeLessThan(REDACT_LIMITS.totalChars * 1.5);
    expect(text).toMatch(/more|chars/);
  });
});

describe('an error', () => {
  test('keeps name, message, code, stack, cause and its own members', () => {
    class QuotaError extends Error {
      override readonly name = 'QuotaError';
      readonly code = 'QUOTA';
      readonly retryAfterMs = 40;
    }
    const error = new QuotaError('too many', { cause: new RangeError('limit') });
    expect(redact(error)).toMatchObject({
      name: 'QuotaError',
      message: 'too many',
      code: 'QUOTA',
      retryAfterMs: 40,
      cause: { name: 'RangeError', message: 'limit' },
    });
    expect(redact(error)).toHaveProperty('stack', error.stack);
  });

  test('lists the errors of an aggregate', () => {
    expect(redact(new AggregateError([new Error('a'), new Error('b')], 'both'))).toMatchObject({
      errors: [{ message: 'a' }, { message: 'b' }],
    });
  });
});
