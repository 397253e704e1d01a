import { nameOf, originOf, prefixOf } from './throughput-name';

const TOKEN = 'complex-10-calendar-1780956041857';

test('a purchase is recognised by the name it was given', () => {
  const prefix = prefixOf('mangaassist', 'prod');
  expect(originOf(prefix, nameOf(prefix, TOKEN))).toEqual({
    kind: 'ours',
    token: TOKEN,
    cause: 'calendar',
  });
});

test('another environment’s purchase is not ours, and nobody’s name is somebody’s', () => {
  const prefix = prefixOf('mangaassist', 'prod');
  const theirs = nameOf(prefixOf('mangaassist', 'prod-b'), TOKEN);
  expect(originOf(prefix, theirs)).toEqual({ kind: 'other-environment' });
  expect(originOf(prefix, 'bought-by-hand')).toEqual({ kind: 'somebody' });
  expect(originOf(prefix, `${prefix}-complex-10-whim-1780956041857`)).toEqual({ kind: 'somebody' });
});

test('long names fit Bedrock’s limit and stay apart', () => {
  const long = (last: string) => prefixOf('a-product-with-a-very-long-name', `environment-${last}`);
  expect(nameOf(long('a'), TOKEN).length).toBeLessThanOrEqual(63);
  expect(long('a')).not.toBe(long('b'));
  expect(long('a')).toMatch(/^([0-9a-zA-Z][-_]?)+$/);
});
