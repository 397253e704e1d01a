/** Whatever a client sends: an answer below 500, a process that lives, memory that does not grow. */
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { HEADERS, PATHS } from '@matsuri/contract';
import { greet } from '../../chaos/harness/greet';
import { offeredModels } from '../../chaos/harness/offered-models';
import { freshSeed } from '../../chaos/harness/seeded-random';
import { testPlatform } from '../../chaos/harness/test-platform';
import { jsonCorpus } from './json-corpus';
import { flood, rawExchange, type RawAnswer } from './raw-exchange';
import { says } from './samples';
import { clusterForSuite } from './suite-cluster';

const MEGABYTE = 1_024 * 1_024;
const LIMIT_BYTES = 10 * MEGABYTE;
const SEED = Number(process.env['ABUSE_SEED'] ?? freshSeed());
const REQUEST = { model: 'simple', messages: says('hello'), max_tokens: 5, user: 'u-1' };

const cluster = clusterForSuite({
  gateways: 1,
  platform: testPlatform({ gateway: { maxBodyBytes: LIMIT_BYTES } }),
  bedrock: { models: offeredModels(), pacing: 'instant' },
});

let token = '';
beforeAll(async () => {
  token = (await cluster().issueToken()).plaintext;
  await greet(cluster(), cluster().gateway(0), token);
});

// Whatever a test did, the next customer is served and nothing was said that should not be.
afterEach(async () => {
  const gateway = cluster().gateway(0);
  expect(gateway.serving).toBe(true);
  expect((await greet(cluster(), gateway, token)).status).toBe(200);
  expect(gateway.log.problems).toEqual([]);
});

function post(
  bytes: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${cluster().gateway(0).url}${PATHS.chatCompletions}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...headers,
      },
    });
    outgoing.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

/** The head of a request, by hand. */
function head(lines: readonly string[]): string {
  return [
    `POST ${PATHS.chatCompletions} HTTP/1.1`,
    'host: gateway',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');
}

const send = (text: string | Buffer): Promise<RawAnswer> =>
  rawExchange(cluster().gateway(0).url, (socket) => void socket.write(text));

describe('JSON', () => {
  test(`of every kind: what is none is a 400, the rest below 500 (ABUSE_SEED=${SEED})`, async () => {
    const corpus = jsonCorpus(REQUEST, SEED, 300);
    const wrong: string[] = [];
    const queue = corpus.values();
    const work = async (): Promise<void> => {
      for (const { name, bytes, isJson } of queue) {
        const status = await post(bytes);
        const isRight = isJson ? status >= 200 && status < 500 : status === 400;
        if (!isRight) wrong.push(`${name}: ${status}`);
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    expect(corpus.length).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  }, 30_000);

  test.each([
    ['a hundred thousand lists in each other', '['.repeat(100_000)],
    ['the same, closed again', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects in each other', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    [
      'half a million members',
      `{${Array.from({ length: 500_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
    ],
    ['half a million numbers', JSON.stringify({ ...REQUEST, stop: Array(500_000).fill(1) })],
    [
      'a deep schema of a tool',
      JSON.stringify({ ...REQUEST, tools: [] }).replace(
        '"tools":[]',
        `"tools":[{"type":"function","function":{"name":"f","parameters":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}]`,
      ),
    ],
    [
      'ten thousand messages',
      JSON.stringify({ ...REQUEST, messages: Array(10_000).fill(REQUEST.messages[0]) }),
    ],
    ['a model of a megabyte', JSON.stringify({ ...REQUEST, model: 'm'.repeat(MEGABYTE) })],
  ])('%s: 4xx', async (_, body) => {
    const status = await post(body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  test.each([
    ['__proto__', '{"__proto__":{"stream":true,"polluted":true},'],
    ['constructor', '{"constructor":{"prototype":{"polluted":true}},'],
    ['prototype', '{"prototype":{"polluted":true},'],
  ])('%s changes nothing', async (_, prefix) => {
    const status = await post(`${prefix}${JSON.stringify(REQUEST).slice(1)}`);
    expect(status).toBe(400);
    expect(await post(JSON.stringify(REQUEST))).toBe(200);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/',
    'https://localhost/x.png',
    'file:///etc/passwd',
    'ftp://127.0.0.1/x',
    'data:text/html,<script>',
    'data:image/png;base64,!!!!',
    'javascript:alert(1)',
    '//127.0.0.1/x.png',
  ])('an image at %s is refused, and nobody fetches it', async (url) => {
    const content = [{ type: 'image_url', image_url: { url } }];
    expect(await post(JSON.stringify({ ...REQUEST, messages: [{ role: 'user', content }] }))).toBe(
      400,
    );
  });
});

describe('bodies', () => {
  const filled = (length: number): string => {
    const empty = JSON.stringify({ ...REQUEST, messages: says('') });
    return JSON.stringify({ ...REQUEST, messages: says('a'.repeat(length - empty.length)) });
  };

  test.each([
    ['nothing', '', 400],
    ['a byte too many', filled(LIMIT_BYTES + 1), 413],
  ])('%s', async (_, body, expected) => {
    expect(await post(body)).toBe(expected);
  });

  test('as large as allowed: read, and refused for what it says if at all', async () => {
    const status = await post(filled(LIMIT_BYTES));
    expect([200, 400]).toContain(status);
  });

  test('of another kind or in a wrapping are not unwrapped', async () => {
    expect(await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(415);
    expect(await post(Buffer.from([0x1f, 0x8b, 8]), { 'content-encoding': 'gzip' })).toBe(415);
  });

  test('a hundred megabytes, announced: refused before they come', async () => {
    const { statuses } = await send(head([`content-length: ${100 * MEGABYTE}`]));
    expect(statuses).toEqual([413]);
  });

  test('a hundred megabytes in chunks without a length, four at once: 413, and memory stays', async () => {
    const gateway = cluster().gateway(0);
    const chunk = Buffer.concat([
      Buffer.from('10000\r\n'),
      Buffer.alloc(0x10000, 'a'),
      Buffer.from('\r\n'),
    ]);
    const attack = (): Promise<RawAnswer[]> =>
      Promise.all(
        Array.from({ length: 4 }, () =>
          rawExchange(gateway.url, async (socket: Socket) => {
            socket.write(head(['transfer-encoding: chunked']));
            await flood(socket, 100 * MEGABYTE, chunk);
          }),
        ),
      );
    // The first round lets the heap take its size.
    await attack();
    const before = gateway.residentBytes();
    for (const answer of await attack()) expect(answer).toEqual({ statuses: [413], closed: true });
    expect(gateway.residentBytes() - before).toBeLessThan(64 * MEGABYTE);
  }, 40_000);
});

describe('heads', () => {
  const body = JSON.stringify(REQUEST);
  const whole = (...lines: string[]): string =>
    head([...lines, `content-length: ${body.length}`]) + body;
  const many = (count: number, line: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => line(index));

  test.each([
    ['two thousand headers', () => whole(...many(2_000, (i) => `x-${i}: ${i}`))],
    ['a header of 64 KB', () => whole(`x-long: ${'a'.repeat(65_536)}`)],
    ['a NUL in a header', () => whole('x-nul: a\0b')],
    ['a bare carriage return', () => whole('x-cr: a\rb')],
    ['a folded header', () => whole('x-fold: a\r\n b')],
    ['two keys', () => whole('authorization: Bearer mts_other')],
    ['two lengths', () => whole('content-length: 3')],
    ['a length that is none', () => head(['content-length: 1e3']) + body],
    ['a negative length', () => head(['content-length: -1']) + body],
    ['chunks and a length', () => whole('transfer-encoding: chunked')],
    ['an unknown coding', () => head(['transfer-encoding: bogus']) + body],
    ['a chunk of no size', () => head(['transfer-encoding: chunked']) + 'zz\r\nabc\r\n0\r\n\r\n'],
    ['a space before the colon', () => whole('x-space : a')],
    ['no host', () => whole().replace('host: gateway\r\n', '')],
    ['another protocol', () => whole().replace('HTTP/1.1', 'HTTP/9.9')],
    ['no protocol', () => 'hello\r\n\r\n'],
    ['TLS', () => Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])],
  ])('%s: one answer, below 500', async (_, bytes) => {
    const { statuses } = await send(bytes());
    expect(statuses).toHaveLength(1);
    expect(statuses[0]).toBeGreaterThanOrEqual(400);
    expect(statuses[0]).toBeLessThan(500);
  });

  test('a hundred cookies are nobody’s business', async () => {
    const { statuses } = await send(whole(...many(50, (i) => `cookie: c${i}=v`)));
    expect(statuses).toEqual([200]);
  });

  test('a request hidden in the body of another is never read', async () => {
    const hidden = `GET ${PATHS.models} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n\r\n`;
    const smuggled = [
      whole('transfer-encoding: chunked') + hidden,
      head(['transfer-encoding: chunked, identity']) + `0\r\n\r\n${hidden}`,
      head(['transfer-encoding: xchunked', `content-length: 4`]) + `0\r\n\r\n${hidden}`,
    ];
    for (const bytes of smuggled) {
      const { statuses } = await send(bytes);
      expect(statuses.filter((status) => status < 400)).toEqual([]);
      expect(statuses.length).toBeLessThanOrEqual(1);
    }
  });

  test('a request id that could forge a log line is replaced', async () => {
    const response = await fetch(`${cluster().gateway(0).url}${PATHS.models}`, {
      headers: { authorization: `Bearer ${token}`, [HEADERS.requestId]: 'a b{"level":"error"}' },
    });
    expect(response.headers.get(HEADERS.requestId)).toMatch(/^[\w-]{8,64}$/);
  });
});

test('guessing keys is slowed down, and does not lock out those who have one', async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 60; guess += 1) {
    statuses.push(
      await post('{}', { authorization: `Bearer mts_${String(guess).padStart(47, 'x')}` }),
    );
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(await post(JSON.stringify(REQUEST))).toBe(200);
});
