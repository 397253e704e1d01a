import { BoundedMemo } from './bounded-memo';

test('makes each value once, and again only after it fell out', () => {
  const made: string[] = [];
  const memo = new BoundedMemo(2, (key: string) => {
    made.push(key);
    return key.toUpperCase();
  });
  expect([memo.get('a'), memo.get('b'), memo.get('a')]).toEqual(['A', 'B', 'A']);
  expect(made).toEqual(['a', 'b']);
  memo.get('c');
  expect(memo.size).toBe(2);
  memo.get('a');
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});
