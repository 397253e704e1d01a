import fc from 'fast-check';
import { createLru } from './lru';

test('forgets what was used longest ago', () => {
  const lru = createLru<string, number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  lru.get('a');
  expect(lru.set('c', 3)).toBe(2);
  expect(lru.get('b')).toBeUndefined();
  expect([lru.get('a'), lru.get('c')]).toEqual([1, 3]);
});

test('replacing a value displaces nobody', () => {
  const lru = createLru<string, number>(1);
  lru.set('a', 1);
  expect(lru.set('a', 2)).toBeUndefined();
  expect(lru.get('a')).toBe(2);
});

test('never holds more than its limit, and always what came last', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(9)), (limit, keys) => {
      const lru = createLru<number, number>(limit);
      for (const key of keys) {
        lru.set(key, key);
        expect(lru.get(key)).toBe(key);
        expect(lru.size).toBeLessThanOrEqual(limit);
      }
    }),
  );
});
