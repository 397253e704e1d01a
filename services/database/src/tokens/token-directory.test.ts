import { aPepperRing } from '../../test/fixtures';
import { DatabaseUnavailableError } from '../errors';
import type { ApiToken, StoredToken } from './api-token-record';
import { createTokenDirectory } from './token-directory';
import { newestDigest, newToken } from './token-digest';

const plain: ApiToken = {
  id: 'token-1',
  tenantId: 'tenant-1',
  userId: 'user-1',
  name: 'a token',
  lastFour: 'abcd',
  allowedModels: null,
  rpm: null,
  tpm: null,
  dayCapMicroUsd: null,
  monthCapMicroUsd: null,
  spendAccountId: 'token-1',
  createdAt: new Date(0),
  expiresAt: null,
  revokedAt: null,
  predecessorId: null,
  overlapUntil: null,
};

const unheard: (tokenId: string) => void = () => undefined;

/** A directory over one token, with a database, a clock and a line of news that the test controls. */
function directory({ maxEntries = 100, ring = aPepperRing() } = {}) {
  const world = {
    nowMs: 1_000,
    listeningSinceMs: 0 as number | undefined,
    away: false,
    gate: Promise.resolve(),
    stored: new Map<string, StoredToken>(),
    queries: 0,
    tellChange: unheard,
  };
  const subject = createTokenDirectory({
    repository: {
      async findByDigests(digests) {
        world.queries += 1;
        const found = digests.flatMap((digest) => world.stored.get(digest.toString('hex')) ?? []);
        await world.gate;
        if (world.away) throw new DatabaseUnavailableError('no-connection');
        return found;
      },
    },
    changes: {
      listeningSinceMs: () => world.listeningSinceMs,
      onChange: (hear) => {
        world.tellChange = hear;
      },
    },
    ring,
    maxEntries,
    clock: { monotonicMs: () => world.nowMs, wallMs: () => world.nowMs },
  });
  const store = (token: Partial<ApiToken> = {}, underRing = ring): string => {
    const plaintext = newToken();
    put(plaintext, token, underRing);
    return plaintext;
  };
  const put = (plaintext: string, token: Partial<ApiToken> = {}, underRing = ring): void => {
    const digest = newestDigest(plaintext, underRing);
    world.stored.set(digest.digest.toString('hex'), { token: { ...plain, ...token }, ...digest });
  };
  return { world, subject, store, put };
}

test('asks once, then knows', async () => {
  const { world, subject, store } = directory();
  const plaintext = store();
  for (let n = 0; n < 5; n += 1) {
    expect(await subject.authenticate(plaintext)).toMatchObject({
      ok: true,
      token: { id: 'token-1' },
    });
  }
  expect(world.queries).toBe(1);
});

test('twenty who come at once make one question', async () => {
  const { world, subject, store } = directory();
  const plaintext = store();
  await Promise.all(Array.from({ length: 20 }, () => subject.authenticate(plaintext)));
  expect(world.queries).toBe(1);
});

test('nonsense is refused without a question', async () => {
  const { world, subject } = directory();
  expect(await subject.authenticate('Bearer of bad news')).toEqual({
    ok: false,
    reason: 'malformed',
  });
  expect(world.queries).toBe(0);
});

test('a stranger is asked about once', async () => {
  const { world, subject } = directory();
  const stranger = newToken();
  for (let n = 0; n < 3; n += 1) {
    expect(await subject.authenticate(stranger)).toEqual({ ok: false, reason: 'unknown' });
  }
  expect(world.queries).toBe(1);
});

test.each([
  ['revoked', { revokedAt: new Date(1) }],
  ['expired', { expiresAt: new Date(1_000) }],
  ['rotated', { overlapUntil: new Date(1_000) }],
])('a %s token does not open', async (reason, token) => {
  const { subject, store } = directory();
  expect(await subject.authenticate(store(token))).toEqual({ ok: false, reason });
});

test('a token expires while it is remembered', async () => {
  const { world, subject, store } = directory();
  const plaintext = store({ expiresAt: new Date(2_000) });
  expect(await subject.authenticate(plaintext)).toMatchObject({ ok: true });
  world.nowMs = 2_000;
  expect(await subject.authenticate(plaintext)).toEqual({ ok: false, reason: 'expired' });
});

test('a change that is told is asked for again', async () => {
  const { world, subject, store, put } = directory();
  const plaintext = store();
  await subject.authenticate(plaintext);
  put(plaintext, { revokedAt: new Date(1) });
  expect(await subject.authenticate(plaintext)).toMatchObject({ ok: true });
  world.tellChange('token-1');
  expect(await subject.authenticate(plaintext)).toEqual({ ok: false, reason: 'revoked' });
});

test('an answer overtaken by a change is not kept, nor given to who comes after the change', async () => {
  const { world, subject, store, put } = directory();
  const plaintext = store();
  const gate = Promise.withResolvers<undefined>();
  world.gate = gate.promise.then(() => undefined);
  const before = subject.authenticate(plaintext);
  await new Promise((resolve) => void setImmediate(resolve));
  expect(world.queries).toBe(1);

  put(plaintext, { revokedAt: new Date(1) });
  world.tellChange('token-1');
  const after = subject.authenticate(plaintext);
  gate.resolve(undefined);

  expect(await before).toMatchObject({ ok: true });
  expect(await after).toEqual({ ok: false, reason: 'revoked' });
  expect(await subject.authenticate(plaintext)).toEqual({ ok: false, reason: 'revoked' });
});

test('while nobody tells of changes, half a second is as long as it believes', async () => {
  const { world, subject, store } = directory();
  const plaintext = store();
  await subject.authenticate(plaintext);
  world.listeningSinceMs = undefined;
  world.nowMs += 499;
  await subject.authenticate(plaintext);
  expect(world.queries).toBe(1);
  world.nowMs += 1;
  await subject.authenticate(plaintext);
  expect(world.queries).toBe(2);
});

test('what it knew before it listened again is asked anew', async () => {
  const { world, subject, store } = directory();
  const plaintext = store();
  await subject.authenticate(plaintext);
  world.nowMs += 1_000;
  world.listeningSinceMs = world.nowMs;
  await subject.authenticate(plaintext);
  expect(world.queries).toBe(2);
});

test('while it hears of changes it needs no database for the known; strangers get no answer', async () => {
  const { world, subject, store } = directory();
  const plaintext = store();
  await subject.authenticate(plaintext);
  world.away = true;
  expect(await subject.authenticate(plaintext)).toMatchObject({ ok: true });
  await expect(subject.authenticate(newToken())).rejects.toThrow(DatabaseUnavailableError);
});

test('remembers no more than it may, and learns the forgotten again', async () => {
  const { subject, store } = directory({ maxEntries: 2 });
  const plaintexts = ['a', 'b', 'c'].map((id) => store({ id }));
  for (const plaintext of plaintexts) await subject.authenticate(plaintext);
  expect(subject.size).toBe(2);
  for (const plaintext of plaintexts) {
    expect(await subject.authenticate(plaintext)).toMatchObject({ ok: true });
  }
});

test('a change of peppers turns nobody away', async () => {
  const { subject, store } = directory({ ring: aPepperRing(1, 2) });
  const old = store({}, aPepperRing(1));
  const recent = store({ id: 'token-2' });
  expect(await subject.authenticate(old)).toMatchObject({ ok: true });
  expect(await subject.authenticate(recent)).toMatchObject({ ok: true });
});

test('a pepper that was dropped ends its tokens', async () => {
  const { subject, store } = directory({ ring: aPepperRing(2) });
  expect(await subject.authenticate(store({}, aPepperRing(1)))).toEqual({
    ok: false,
    reason: 'unknown',
  });
});
