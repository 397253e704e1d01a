import { randomUUID } from 'node:crypto';
import { requireRedis, startRedis, type RunningRedis } from '@matsuri/local';
import { Redis } from 'ioredis';
import type { ServerFrame } from '@matsuri/contract';
import { LIMIT_REDIS_OPTIONS } from '@matsuri/resilience';
import { AnswerLostError, LOST_PART } from '../ports';
import { SESSION_ROUTES } from './routes';
import { FakeAnswerer } from './testing/fake-answerer';
import { MemoryStore } from './testing/memory-store';
import type { Talk } from './testing/session-client';
import { startSessionStage, TokenShelf, type SessionStage } from './testing/session-stage';

let server: RunningRedis;
const open: { close(): unknown }[] = [];

beforeAll(async () => {
  server = requireRedis(await startRedis());
});
afterAll(() => server.close());
afterEach(async () => {
  for (const it of open.splice(0).reverse()) await it.close();
});

interface Cast {
  readonly store: MemoryStore;
  readonly tokens: TokenShelf;
}

async function task(cast: Cast, withRedis = true, overrides = {}) {
  const answerer = new FakeAnswerer();
  const redis = withRedis ? new Redis(server.url, LIMIT_REDIS_OPTIONS) : undefined;
  redis?.on('error', () => undefined);
  if (redis) {
    open.push({ close: () => redis.disconnect() });
    await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
  }
  const stage = await startSessionStage({ ...cast, answerer, ...(redis && { redis }), overrides });
  open.push(stage);
  return { stage, answerer, redis };
}

const newCast = (): Cast => ({ store: new MemoryStore(), tokens: new TokenShelf() });

const delta = (text: string) => ({ type: 'delta', text }) as const;
const seqs = (talk: Talk) =>
  talk.frames.filter(({ type }) => type !== 'ping').map(({ id }) => Number(id.split(':')[1]));

async function openTalk(stage: SessionStage) {
  const client = stage.client();
  const { id, ticket } = await client.open();
  return { client, id, talk: await client.connect(id, ticket) };
}

test('a message is accepted, answered as it is made, and ended once', async () => {
  const { stage, answerer } = await task(newCast());
  const { talk } = await openTalk(stage);
  talk.ask('m1');
  const answer = await answerer.asked();
  answer.say(delta('Good '), delta('evening'));
  answer.say(delta('.'));
  answer.finish();
  await talk.hear('done');
  expect(talk.frames.map(({ type }) => type)).toEqual(['message', 'delta', 'delta', 'done']);
  expect(talk.text).toBe('Good evening.');
  expect(seqs(talk)).toEqual([0, 1, 2, 3]);
  expect(answer.question.caller).toMatchObject({ tenantId: 'tenant-1', userId: 'user-1' });
});

test('who loses the line goes on at another task, without a gap or a repeat, while the first still makes the answer', async () => {
  const cast = newCast();
  const first = await task(cast);
  const second = await task(cast);
  const { client, id, talk } = await openTalk(first.stage);
  talk.ask('m1');
  const answer = await first.answerer.asked();
  answer.say(delta('one '));
  const seen = await talk.hear('delta');
  talk.socket.terminate();
  answer.say(delta('two '));
  const { ticket } = await tickets(client, id);
  const again = await second.stage.client().connect(id, ticket);
  again.say({ type: 'resume', lastId: seen.id });
  await again.hear('delta');
  answer.say(delta('three'));
  answer.finish();
  await again.hear('done');
  expect(again.text).toBe('two three');
  expect(seqs(again)).toEqual([2, 3, 4]);
  expect(second.answerer.answers).toHaveLength(0);
});

async function tickets(client: ReturnType<SessionStage['client']>, id: string) {
  const response = await client.fetch(`/${id}/tickets`, { method: 'POST' });
  return (await response.json()) as { ticket: string };
}

test('a message sent again is answered from what exists, at the same task and at another', async () => {
  const cast = newCast();
  const first = await task(cast);
  const second = await task(cast);
  const { client, id, talk } = await openTalk(first.stage);
  talk.ask('m1');
  const answer = await first.answerer.asked();
  answer.say(delta('hello'));
  talk.ask('m1');
  answer.finish();
  await talk.hear('done');
  const there = await second.stage.client().connect(id, (await tickets(client, id)).ticket);
  there.ask('m1');
  await there.hear('done');
  expect(there.text).toBe('hello');
  expect(first.answerer.answers.length + second.answerer.answers.length).toBe(1);
});

test('a message sent again on the connection that reads its answer changes nothing', async () => {
  const { stage, answerer } = await task(newCast());
  const { talk } = await openTalk(stage);
  talk.ask('m1');
  talk.ask('m1');
  const answer = await answerer.asked();
  answer.say(delta('hello'));
  await talk.hear('delta');
  for (let nth = 0; nth < 100; nth += 1) talk.ask('m1');
  talk.ask('m2');
  await talk.hear('error');
  answer.finish();
  await talk.hear('done');
  expect(talk.frames.map(({ type }) => type)).toEqual(['message', 'delta', 'error', 'done']);
});

test('a finished answer is repeated a few times, not for ever', async () => {
  const { stage, answerer } = await task(newCast());
  const { talk } = await openTalk(stage);
  talk.ask('m1');
  const answer = await answerer.asked();
  answer.say(delta('hello'));
  answer.finish();
  await talk.hear('done');
  const repeat = async () => {
    for (let nth = 1; talk.socket.readyState === talk.socket.OPEN; nth += 1) {
      talk.ask('m1');
      await talk.hear('done', nth);
    }
  };
  void repeat();
  expect(await talk.closed).toBe(1008);
  const repeats = talk.frames.filter(({ type }) => type === 'done').length - 1;
  expect(repeats).toBeGreaterThan(3);
  expect(repeats).toBeLessThan(20);
});

test('a task that died says so through the others, and the message can be answered anew under a higher epoch', async () => {
  const cast = newCast();
  const first = await task(cast);
  const second = await task(cast);
  const { id, talk } = await openTalk(first.stage);
  talk.ask('m1');
  (await first.answerer.asked()).say(delta('half of '));
  const seen = await talk.hear('delta');
  const { messageId } = await talk.hear('message');
  // What a kill -9 leaves behind: frames, and no more sign of life.
  await eventually(async () => (await framesKept(id)) > 0);
  first.redis?.disconnect();
  await first.stage.close();
  const again = await second.stage.client().connect(id, (await tickets2(second.stage, id)).ticket);
  again.say({ type: 'resume', lastId: seen.id });
  const lost = await again.hear('error');
  expect(lost).toMatchObject({ code: 'answer_lost', messageId });
  // Who drops what it has passed still hears of it.
  expect(epochOf(lost)).toBe(epochOf(seen) + 1);
  again.ask('m1');
  const answer = await second.answerer.asked();
  answer.say(delta('a whole answer'));
  answer.finish();
  await again.hear('done');
  const [restarted] = again.frames.filter(({ type }) => type === 'message');
  expect(restarted).toMatchObject({ clientMessageId: 'm1', messageId });
  expect(epochOf(restarted)).toBeGreaterThan(epochOf(seen));
  expect(again.text).toBe('a whole answer');
}, 20_000);

const tickets2 = (stage: SessionStage, id: string) => tickets(stage.client(), id);
const epochOf = (frame: ServerFrame | undefined) => Number(frame?.id.split(':')[0]);

async function framesKept(id: string): Promise<number> {
  const redis = new Redis(server.url);
  const keys = await redis.keys(`session:frames:*${id}*`);
  const lengths = await Promise.all(keys.map((key) => redis.xlen(key)));
  redis.disconnect();
  return Math.max(0, ...lengths);
}

async function endedEpoch(id: string): Promise<number> {
  const redis = new Redis(server.url);
  const [key = ''] = await redis.keys(`session:epoch:*${id}*`);
  const ended = await redis.hget(key, 'ended');
  redis.disconnect();
  return Number(ended);
}

async function attentionsKept(id: string): Promise<number> {
  const redis = new Redis(server.url);
  const keys = await redis.keys(`session:attention:*${id}*`);
  redis.disconnect();
  return keys.length;
}

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('a task that must go ends its answers itself, once, and they are answered anew elsewhere at once', async () => {
  const cast = newCast();
  const first = await task(cast);
  const second = await task(cast);
  const { id, talk } = await openTalk(first.stage);
  talk.ask('m1');
  const answer = await first.answerer.asked();
  answer.say(delta('half of '));
  const seen = await talk.hear('delta');
  await first.stage.sessions.abandon(AbortSignal.timeout(5_000));
  expect(await talk.closed).toBe(1012);
  expect(answer.signal.reason).toBeInstanceOf(AnswerLostError);
  expect(talk.frames.map(({ type }) => type)).toEqual(['message', 'delta', 'error']);
  expect(seqs(talk)).toEqual([0, 1, 2]);
  // The task still says that it lives: what another reads is the owner's own word, not a guess.
  const again = await second.stage.client().connect(id, (await tickets2(second.stage, id)).ticket);
  again.say({ type: 'resume', lastId: seen.id });
  expect(await again.hear('error')).toEqual(talk.frames.at(-1));
  again.ask('m1');
  const anew = await second.answerer.asked();
  anew.say(delta('a whole answer'));
  anew.finish();
  await again.hear('done');
  expect(again.text).toBe('a whole answer');
  expect(epochOf(await again.hear('message'))).toBeGreaterThan(epochOf(seen));
});

test('an answer that its maker gives up as lost is answered anew, at the same task and at another', async () => {
  const cast = newCast();
  const first = await task(cast);
  const second = await task(cast);
  const { client, id, talk } = await openTalk(first.stage);
  const elsewhere = await second.stage.client().connect(id, (await tickets(client, id)).ticket);
  talk.ask('m1');
  (await first.answerer.asked()).say(delta('half of '), LOST_PART);
  expect(await talk.hear('error')).toMatchObject({ code: 'answer_lost' });
  talk.ask('m1');
  (await first.answerer.asked(1)).say(delta('half again '), LOST_PART);
  const lost = await talk.hear('error', 1);
  // The others know a moment later.
  await eventually(async () => (await endedEpoch(id)) === epochOf(lost));
  elsewhere.ask('m1');
  const whole = await second.answerer.asked();
  whole.say(delta('a whole answer'));
  whole.finish();
  await elsewhere.hear('done');
  expect(elsewhere.text).toBe('a whole answer');
});

test('a task that must go takes no more messages', async () => {
  const { stage, answerer } = await task(newCast());
  const client = stage.client();
  const { id } = await client.open();
  await stage.sessions.abandon(AbortSignal.timeout(5_000));
  const response = await client.message(id, 'm1');
  expect(response.status).toBe(503);
  expect(answerer.answers).toHaveLength(0);
});

test('a zombie cannot write into the answer that replaced its own, and stops', async () => {
  const cast = newCast();
  const first = await task(cast);
  const second = await task(cast);
  const { id, talk } = await openTalk(first.stage);
  talk.ask('m1');
  const zombie = await first.answerer.asked();
  zombie.say(delta('old '));
  await eventually(async () => (await framesKept(id)) > 0);
  // Its sign of life goes out, as that of a stopped process would; the process goes on.
  const redis = new Redis(server.url);
  const mute = jest.spyOn(first.redis ?? redis, 'set').mockResolvedValue('OK');
  await redis.del('none', ...(await redis.keys('session:task:*')));
  const again = await second.stage.client().connect(id, (await tickets2(second.stage, id)).ticket);
  again.ask('m1');
  const answer = await second.answerer.asked();
  mute.mockRestore();
  answer.say(delta('new '));
  await again.hear('delta');
  await eventually(async () => (await framesKept(id)) > 1);
  zombie.say(delta('from the grave'));
  await new Promise((resolve) => zombie.signal.addEventListener('abort', resolve));
  answer.finish();
  await again.hear('done');
  expect(again.text).toBe('new ');
  redis.disconnect();
});

test('a client that stays away is given up after its time; one that reads elsewhere is not', async () => {
  const cast = newCast();
  const overrides = { sessions: { detachedSeconds: 3 } };
  const first = await task(cast, true, overrides);
  const second = await task(cast, true, overrides);
  const one = await openTalk(first.stage);
  const other = await openTalk(first.stage);
  one.talk.ask('m1');
  const given = await first.answerer.asked(0);
  other.talk.ask('m1');
  const kept = await first.answerer.asked(1);
  kept.say(delta('still here'));
  const seen = await other.talk.hear('delta');
  one.talk.socket.terminate();
  other.talk.socket.terminate();
  const { ticket } = await tickets2(second.stage, other.id);
  const again = await second.stage.client().connect(other.id, ticket);
  again.say({ type: 'resume', lastId: seen.id });
  await new Promise((resolve) => given.signal.addEventListener('abort', resolve));
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(kept.signal.aborted).toBe(false);
  again.say({ type: 'cancel', messageId: seen.messageId });
  expect(await again.hear('done')).toMatchObject({ finish: 'cancelled' });
}, 20_000);

test('a cancel ends the answer at once', async () => {
  const { stage, answerer } = await task(newCast());
  const { talk } = await openTalk(stage);
  talk.ask('m1');
  await answerer.asked();
  talk.say({ type: 'cancel', messageId: (await talk.hear('message')).messageId });
  expect(await talk.hear('done')).toMatchObject({ finish: 'cancelled' });
});

test('a cancel at another task ends the answer, also while the line it left behind seems to be there', async () => {
  const cast = newCast();
  const first = await task(cast);
  const second = await task(cast);
  const { id, talk } = await openTalk(first.stage);
  talk.ask('m1');
  (await first.answerer.asked()).say(delta('one '));
  const seen = await talk.hear('delta');
  const again = await second.stage.client().connect(id, (await tickets2(second.stage, id)).ticket);
  again.say({ type: 'resume', lastId: seen.id });
  again.say({ type: 'cancel', messageId: seen.messageId });
  expect(await again.hear('done')).toMatchObject({ finish: 'cancelled' });
});

test('a cancel that comes too late for one answer does not end the next', async () => {
  const cast = newCast();
  const first = await task(cast);
  const second = await task(cast);
  const { id, talk } = await openTalk(first.stage);
  const elsewhere = await second.stage
    .client()
    .connect(id, (await tickets2(second.stage, id)).ticket);
  talk.ask('m1');
  (await first.answerer.asked()).finish();
  const { messageId } = await talk.hear('done');
  elsewhere.say({ type: 'cancel', messageId });
  await eventually(async () => (await attentionsKept(id)) > 0);
  talk.ask('m2');
  const answer = await first.answerer.asked(1);
  await eventually(async () => (await attentionsKept(id)) === 0);
  answer.finish();
  expect(await talk.hear('done', 1)).toMatchObject({ finish: 'stop' });
});

test('while the table is away sessions say so, and when to come back', async () => {
  const cast = newCast();
  const { stage } = await task(cast, false);
  const { id } = await stage.client().open();
  jest.spyOn(cast.store, 'exists').mockRejectedValue(new Error('the table is away'));
  jest.spyOn(cast.store, 'create').mockRejectedValue(new Error('the table is away'));
  const client = stage.client();
  const responses = await Promise.all([
    client.fetch('', { method: 'POST' }),
    client.fetch(`/${id}`),
    client.fetch(`/${id}/tickets`, { method: 'POST' }),
    client.message(id, 'm1'),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  expect(responses.every(({ headers }) => headers.has('retry-after'))).toBe(true);
  await expect(client.connect(id)).rejects.toThrow('503');
});

test('the next message may follow the end of an answer at once, at the same task and at another', async () => {
  const cast = newCast();
  const first = await task(cast);
  const second = await task(cast);
  const { client, id, talk } = await openTalk(first.stage);
  const elsewhere = await second.stage.client().connect(id, (await tickets(client, id)).ticket);
  const here = { speaker: talk, answerer: first.answerer };
  const there = { speaker: elsewhere, answerer: second.answerer };
  for (const [n, { speaker, answerer }] of [here, here, there, here, there].entries()) {
    const before = answerer.answers.length;
    speaker.ask(`m${n}`);
    const answer = await answerer.asked(before);
    answer.say(delta('yes'));
    answer.finish();
    await speaker.hear('done', before);
  }
  expect([...talk.frames, ...elsewhere.frames].filter(({ type }) => type === 'error')).toEqual([]);
});

test('one answer at a time: a second message is refused by name', async () => {
  const { stage, answerer } = await task(newCast());
  const { talk } = await openTalk(stage);
  talk.ask('m1');
  await answerer.asked();
  talk.ask('m2');
  expect(await talk.hear('error')).toMatchObject({ code: 'busy', clientMessageId: 'm2' });
});

test('without Redis an answer goes on at its own task, and is honestly lost at another', async () => {
  const cast = newCast();
  const first = await task(cast, false);
  const second = await task(cast, false);
  const { client, id, talk } = await openTalk(first.stage);
  talk.ask('m1');
  const answer = await first.answerer.asked();
  answer.say(delta('one '));
  const seen = await talk.hear('delta');
  talk.socket.terminate();
  const back = await client.connect(id, (await tickets(client, id)).ticket);
  back.say({ type: 'resume', lastId: seen.id });
  answer.say(delta('two'));
  answer.finish();
  await back.hear('done');
  expect(back.text).toBe('two');
  const elsewhere = await second.stage
    .client()
    .connect(id, (await tickets2(second.stage, id)).ticket);
  elsewhere.say({ type: 'resume', lastId: seen.id });
  expect(await elsewhere.hear('error')).toMatchObject({ code: 'answer_lost' });
});

test('a ticket works once, also when it is presented many times at once at two tasks', async () => {
  const cast = newCast();
  const tasks = [await task(cast), await task(cast)];
  const clients = tasks.map(({ stage }) => stage.client());
  const { id, ticket } = await openTicket(clients);
  const attempts = Array.from({ length: 6 }, () => clients).flatMap((both) =>
    both.map((client) =>
      client.connect(id, ticket).then(
        () => 'in',
        () => 'out',
      ),
    ),
  );
  const outcomes = await Promise.all(attempts);
  expect(outcomes.filter((outcome) => outcome === 'in')).toHaveLength(1);
});

async function openTicket([client]: readonly ReturnType<SessionStage['client']>[]) {
  if (!client) throw new RangeError('there is no client');
  return client.open();
}

test('a revoked token closes its connections with 1008', async () => {
  const cast = newCast();
  const { stage } = await task(cast);
  const { talk } = await openTalk(stage);
  cast.tokens.revoke(1);
  expect(await talk.closed).toBe(1008);
});

test('server-sent events carry the same frames, and a lost stream goes on after its last id', async () => {
  const { stage, answerer } = await task(newCast());
  const client = stage.client();
  const { id } = await client.open();
  const response = client.message(id, 'm1');
  const answer = await answerer.asked();
  answer.say(delta('line\n\ndata: [DONE]'));
  answer.finish();
  const text = await (await response).text();
  expect(text.match(/^event: .*$/gm)).toEqual(['event: message', 'event: delta', 'event: done']);
  const ids = text.match(/^id: .*$/gm)?.map((line) => line.slice(4));
  const body = JSON.stringify({ clientMessageId: 'm1', text: 'question' });
  const again = await fetch(`${stage.url}/v1/sessions/${id}/messages`, {
    method: 'POST',
    body,
    headers: {
      authorization: 'Bearer key-1',
      'x-end-user': 'user-1',
      'content-type': 'application/json',
      'last-event-id': ids?.[0] ?? '',
    },
  });
  expect((await again.text()).match(/^event: .*$/gm)).toEqual(['event: delta', 'event: done']);
});

test('a message counts towards the end of a task once, however it came', async () => {
  const onMessage = jest.fn<undefined, []>();
  const answerer = new FakeAnswerer();
  const stage = await startSessionStage({ ...newCast(), answerer, onMessage });
  open.push(stage);
  const { client, id, talk } = await openTalk(stage);
  talk.ask('m1');
  (await answerer.asked(0)).finish();
  await talk.hear('done');
  expect(onMessage).toHaveBeenCalledTimes(1);
  const response = client.message(id, 'm2');
  (await answerer.asked(1)).finish();
  await (await response).text();
  expect(onMessage).toHaveBeenCalledTimes(2);
});

describe('nobody reaches a session of another', () => {
  const named = SESSION_ROUTES.filter(({ namesSession }) => namesSession);
  const strangers: readonly (readonly [string, number, string])[] = [
    ['another tenant', 2, 'user-1'],
    ['another user of the tenant', 1, 'user-2'],
  ];
  test.each(
    named.flatMap((route) => strangers.map((it) => [route.method, route.path, ...it] as const)),
  )('%s %s by %s', async (method, path, _, tenant, user) => {
    const { stage } = await task(newCast(), false);
    const { id } = await stage.client().open();
    const init =
      method === 'post'
        ? { method: 'POST', body: JSON.stringify({ clientMessageId: randomUUID(), text: 'hi' }) }
        : {};
    const asStranger = stage.client(tenant, user);
    const suffix = path.replace('/v1/sessions', '').replace(':id', id);
    expect((await asStranger.fetch(suffix, init)).status).toBe(404);
    await expect(asStranger.connect(id)).rejects.toThrow('404');
  });

  test('a ticket of one session opens no other', async () => {
    const { stage } = await task(newCast(), false);
    const { id } = await stage.client().open();
    const { ticket } = await stage.client(2, 'user-9').open();
    await expect(stage.client().connect(id, ticket)).rejects.toThrow('401');
  });
});
