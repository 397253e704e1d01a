import { createApiTokenRepository, createTokenDirectory, listenForTokenChanges } from '../src';
import type { TokenChanges, TokenDirectory } from '../src';
import { eventually } from './eventually';
import { aPepperRing, aTokenRequest } from './fixtures';
import { startLossyProxy } from './lossy-proxy';
import { setStage } from './stage';
import type { Stage } from './stage';

jest.setTimeout(30_000);

// The promise: a revoked token is refused by every process within a second.
const PROMISE_MS = 1_000;

let stage: Stage;
const listeners: TokenChanges[] = [];
beforeEach(async () => {
  stage = await setStage();
});
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
  await stage.close();
});

/** A process as the gateway runs it: its own pool, its own line of news, its own memory. */
function aProcess({ newsUrl = stage.url } = {}) {
  const repository = createApiTokenRepository(stage.openPool(), aPepperRing());
  const changes = listenForTokenChanges({ url: newsUrl, applicationName: 'token-changes' });
  listeners.push(changes);
  return { changes, directory: createTokenDirectory({ repository, changes, ring: aPepperRing() }) };
}

const listening = (changes: TokenChanges) =>
  eventually(() => expect(changes.listeningSinceMs()).toBeDefined());

const isAdmitted = async (directory: TokenDirectory, plaintext: string) =>
  (await directory.authenticate(plaintext)).ok;

async function refusedWithin(directory: TokenDirectory, plaintext: string): Promise<number> {
  const startedAtMs = performance.now();
  await eventually(async () => expect(await isAdmitted(directory, plaintext)).toBe(false));
  return performance.now() - startedAtMs;
}

test('a revocation reaches every process by push, within a second', async () => {
  const processes = [aProcess(), aProcess(), aProcess()];
  for (const { changes } of processes) await listening(changes);
  const { token, plaintext } = await stage.tokens.create(aTokenRequest());
  for (const { directory } of processes) expect(await isAdmitted(directory, plaintext)).toBe(true);

  await stage.tokens.revoke(token.tenantId, token.id);
  const times = await Promise.all(
    processes.map(({ directory }) => refusedWithin(directory, plaintext)),
  );
  expect(Math.max(...times)).toBeLessThan(PROMISE_MS);
});

test('a rotation without overlap ends the old token everywhere', async () => {
  const { changes, directory } = aProcess();
  await listening(changes);
  const { token, plaintext } = await stage.tokens.create(aTokenRequest());
  expect(await isAdmitted(directory, plaintext)).toBe(true);
  const rotated = await stage.tokens.rotate(token.tenantId, token.id, 0);
  expect(await refusedWithin(directory, plaintext)).toBeLessThan(PROMISE_MS);
  if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
  expect(await isAdmitted(directory, rotated.plaintext)).toBe(true);
});

test('with the line of news cut, a revocation still shows within a second', async () => {
  const proxy = await startLossyProxy(stage.url);
  const { changes, directory } = aProcess({ newsUrl: proxy.url });
  await listening(changes);
  const { token, plaintext } = await stage.tokens.create(aTokenRequest());
  expect(await isAdmitted(directory, plaintext)).toBe(true);

  await proxy.close();
  await eventually(() => expect(changes.listeningSinceMs()).toBeUndefined());
  await stage.tokens.revoke(token.tenantId, token.id);
  expect(await refusedWithin(directory, plaintext)).toBeLessThan(PROMISE_MS);
});

test('with the line of news silent but open, a revocation still shows within a second', async () => {
  const proxy = await startLossyProxy(stage.url);
  const { changes, directory } = aProcess({ newsUrl: proxy.url });
  await listening(changes);
  const { token, plaintext } = await stage.tokens.create(aTokenRequest());
  expect(await isAdmitted(directory, plaintext)).toBe(true);

  proxy.goSilent();
  await stage.tokens.revoke(token.tenantId, token.id);
  expect(await refusedWithin(directory, plaintext)).toBeLessThan(PROMISE_MS);
  await proxy.close();
});

test('a killed line of news comes back by itself, and misses nothing', async () => {
  const { changes, directory } = aProcess();
  await listening(changes);
  const { token, plaintext } = await stage.tokens.create(aTokenRequest());
  expect(await isAdmitted(directory, plaintext)).toBe(true);
  const before = changes.listeningSinceMs();

  await stage.pool.query({
    text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'token-changes' AND datname = current_database()`,
  });
  await stage.tokens.revoke(token.tenantId, token.id);
  expect(await refusedWithin(directory, plaintext)).toBeLessThan(PROMISE_MS);
  await eventually(() => {
    expect(changes.listeningSinceMs()).toBeDefined();
    expect(changes.listeningSinceMs()).not.toBe(before);
  });
});
