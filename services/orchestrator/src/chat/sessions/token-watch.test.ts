import type { ApiToken } from '@matsuri/database';
import { createTokenWatch } from './token-watch';

const ID = { tenantId: 't', tokenId: 'k' };
const active = {
  id: 'k',
  tenantId: 't',
  expiresAt: null,
  revokedAt: null,
  overlapUntil: null,
} as ApiToken;
const revoked: ApiToken = { ...active, revokedAt: new Date(0) };

/** A database that answers when it is told to, and changes that are pushed by hand. */
function watchOver() {
  const asked: ((token: ApiToken | undefined) => void)[] = [];
  const hearers: ((tokenId: string) => void)[] = [];
  const watch = createTokenWatch({
    repository: { get: () => new Promise((resolve) => asked.push(resolve)) },
    changes: { listeningSinceMs: () => 0, onChange: (hear) => hearers.push(hear) },
  });
  const change = (tokenId: string) => {
    for (const hear of hearers) hear(tokenId);
  };
  return { watch, asked, change };
}

test('what was read once is known until it changes', async () => {
  const { watch, asked, change } = watchOver();
  const first = watch.current(ID);
  asked[0]?.(active);
  expect(await first).toBe(active);
  expect(watch.current(ID)).toBe(active);
  change('k');
  const again = watch.current(ID);
  asked[1]?.(revoked);
  expect(await again).toBeUndefined();
  expect(watch.hasEnded(ID)).toBe(true);
});

test('a token that is revoked while it is read is read again, and has ended', async () => {
  const { watch, asked, change } = watchOver();
  const current = Promise.resolve(watch.current(ID));
  change('k');
  asked[0]?.(active);
  await new Promise((resolve) => setImmediate(resolve));
  asked[1]?.(revoked);
  expect(await current).toBeUndefined();
  expect(watch.current(ID)).toBeUndefined();
  expect(asked).toHaveLength(2);
});

test('a change of another token keeps nobody from being known', async () => {
  const { watch, asked, change } = watchOver();
  const current = watch.current(ID);
  change('another');
  asked[0]?.(active);
  await current;
  expect(watch.current(ID)).toBe(active);
});

test('a database that cannot say is asked again', async () => {
  const watch = createTokenWatch({
    repository: { get: () => Promise.reject(new Error('away')) },
    changes: { listeningSinceMs: () => 0, onChange: () => undefined },
  });
  await expect(watch.current(ID)).rejects.toThrow('away');
  await expect(watch.current(ID)).rejects.toThrow('away');
});
