import { CredentialCache } from './credential-cache';
import type { AwsCredentials } from './credential-cache';

const MINUTE_MS = 60_000;

/** A provider that answers only when told to, and a clock that moves only when told to. */
function world() {
  const pending: PromiseWithResolvers<AwsCredentials>[] = [];
  const clock = { nowMs: 0 };
  const cache = new CredentialCache(
    () => {
      const asked = Promise.withResolvers<AwsCredentials>();
      pending.push(asked);
      return asked.promise;
    },
    () => clock.nowMs,
  );
  return {
    cache,
    clock,
    pending,
    answer: (at: number, with_: AwsCredentials) => pending[at]?.resolve(with_),
  };
}

function lasting(ms: number, name = 'A'): AwsCredentials {
  return { accessKeyId: name, secretAccessKey: 's', expiration: new Date(ms) };
}

test('calls that arrive together ask once, later ones not at all', async () => {
  const { cache, pending, answer } = world();
  const both = [Promise.resolve(cache.get()), Promise.resolve(cache.get())];
  answer(0, lasting(60 * MINUTE_MS));
  const [first, second] = await Promise.all(both);
  expect(first).toBe(second);
  expect(cache.get()).toBe(first);
  expect(pending).toHaveLength(1);
});

test('credentials without an end are kept for ever', async () => {
  const { cache, clock, pending, answer } = world();
  const first = cache.get();
  answer(0, { accessKeyId: 'A', secretAccessKey: 's' });
  await first;
  clock.nowMs = 1e12;
  expect(cache.get()).not.toBeInstanceOf(Promise);
  expect(pending).toHaveLength(1);
});

test('renewal happens in the background while the old ones are good', async () => {
  const { cache, clock, pending, answer } = world();
  const first = cache.get();
  answer(0, lasting(10 * MINUTE_MS, 'old'));
  await first;
  clock.nowMs = 6 * MINUTE_MS;
  expect(cache.get()).toMatchObject({ accessKeyId: 'old' });
  expect(cache.get()).toMatchObject({ accessKeyId: 'old' });
  expect(pending).toHaveLength(2);
  answer(1, lasting(60 * MINUTE_MS, 'new'));
  await pending[1]?.promise;
  await Promise.resolve();
  expect(cache.get()).toMatchObject({ accessKeyId: 'new' });
});

test('a failed renewal is tried again, a second later, and hurts nobody before the end', async () => {
  const { cache, clock, pending, answer } = world();
  const first = cache.get();
  answer(0, lasting(10 * MINUTE_MS, 'old'));
  await first;
  clock.nowMs = 6 * MINUTE_MS;
  void cache.get();
  pending[1]?.reject(new Error('no answer'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(cache.get()).toMatchObject({ accessKeyId: 'old' });
  expect(pending).toHaveLength(2);
  clock.nowMs += 1_000;
  void cache.get();
  expect(pending).toHaveLength(3);
});

test('nobody signs with credentials that are about to end', async () => {
  const { cache, clock, answer } = world();
  const first = cache.get();
  answer(0, lasting(10 * MINUTE_MS, 'old'));
  await first;
  clock.nowMs = 10 * MINUTE_MS - 29_000;
  const renewed = cache.get();
  expect(renewed).toBeInstanceOf(Promise);
  answer(1, lasting(70 * MINUTE_MS, 'new'));
  await expect(renewed).resolves.toMatchObject({ accessKeyId: 'new' });
});

test('refused credentials are forgotten, but not those that replaced them', async () => {
  const { cache, pending, answer } = world();
  const first = cache.get();
  answer(0, lasting(60 * MINUTE_MS));
  const refused = await first;
  cache.forget(refused);
  const second = cache.get();
  answer(1, lasting(60 * MINUTE_MS));
  const fresh = await second;
  cache.forget(refused);
  expect(cache.get()).toBe(fresh);
  expect(pending).toHaveLength(2);
});
