import fc from 'fast-check';
import { keySegment } from './key';
import { fleetItemKeys, sessionItemKeys } from '../names/table-keys';
import { answerKeys, jobKeys, limitKeys, sessionKeys } from './keys';

/** Strings an attacker would try, among ordinary ones. */
const crafted = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', ':', '{', '}', '%', '3', ';', '\0', 'é') }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', ':', '{}', 'public', 'user', '%3a;', '\ud800', '\ud801', '\ufffd', '漫画'),
);

test('two ids never share an encoding', () => {
  fc.assert(
    fc.property(crafted, crafted, (a, b) => (keySegment(a) === keySegment(b)) === (a === b)),
    { numRuns: 2_000 },
  );
});

test('an encoding has no character with a meaning in a key', () => {
  fc.assert(
    fc.property(crafted, (id) => {
      expect(keySegment(id)).not.toMatch(/[:{}\s\0]/);
    }),
  );
});

test('ordinary ids stay readable', () => {
  expect(keySegment('user-1.a_b@example.com')).toBe('user-1.a_b@example.com');
  expect(jobKeys.processed('j-1')).toBe('job:processed:j-1');
});

interface Asked {
  readonly tenantId: string;
  readonly userId: string | undefined;
  readonly question: string;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  tenantId: crafted,
  userId: fc.option(crafted, { nil: undefined }),
  question: crafted,
});

function cacheKey({ tenantId, userId, question }: Asked): string {
  const scope =
    userId === undefined ? { kind: 'public' as const } : { kind: 'user' as const, userId };
  return answerKeys.cached(tenantId, scope, question);
}

test('no crafted tenant, user or question reads an answer of another', () => {
  fc.assert(
    fc.property(asked, asked, (a, b) => {
      const same = a.tenantId === b.tenantId && a.userId === b.userId && a.question === b.question;
      return (cacheKey(a) === cacheKey(b)) === same;
    }),
    { numRuns: 2_000 },
  );
});

function hashTag(key: string): string {
  return /\{([^}]*)\}/.exec(key)?.[1] ?? key;
}

test('keys that one script touches share a slot, whatever the ids', () => {
  fc.assert(
    fc.property(crafted, crafted, crafted, (profile, region, tenantId) => {
      const target = { profile, region };
      const keys = [limitKeys.target(target), limitKeys.tenant(target, tenantId)];
      expect(new Set(keys.map(hashTag)).size).toBe(1);
      expect(new Set(keys).size).toBe(2);
    }),
  );
});

test('a session and its messages share a slot; two sessions do not by craft', () => {
  const a = { tenantId: 't', sessionId: 's' };
  const b = { tenantId: 't:s', sessionId: '' };
  expect(hashTag(sessionKeys.frames(a))).toBe(hashTag(sessionKeys.message(a, '}x')));
  expect(sessionKeys.frames(a)).not.toBe(sessionKeys.frames(b));
});

test('items of the tables are as hard to forge as keys of Redis', () => {
  fc.assert(
    fc.property(crafted, crafted, crafted, crafted, (a, b, c, d) => {
      const same = a === c && b === d;
      expect(sessionItemKeys.partition(a, b) === sessionItemKeys.partition(c, d)).toBe(same);
      expect(fleetItemKeys.user(a)).not.toBe(fleetItemKeys.worker(a));
    }),
  );
});

test('turns sort by their number', () => {
  const keys = [2, 10, 1, 999].map((turn) => sessionItemKeys.turn(turn));
  expect([...keys].sort()).toEqual([1, 2, 10, 999].map((turn) => sessionItemKeys.turn(turn)));
});
