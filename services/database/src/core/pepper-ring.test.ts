import { createPepperRing } from './pepper-ring';

const pepper = (version: number) => ({ version, secret: Buffer.alloc(32, version) });

test('the highest version makes new tokens', () => {
  const ring = createPepperRing([pepper(1), pepper(3), pepper(2)]);
  expect(ring.newest.version).toBe(3);
  expect(ring.all.map(({ version }) => version)).toEqual([3, 2, 1]);
});

test('a pepper can be known everywhere before it is used anywhere', () => {
  expect(createPepperRing([pepper(1), pepper(2)], 1).newest.version).toBe(1);
});

test.each([
  ['no pepper', []],
  ['two of one version', [pepper(1), pepper(1)]],
  ['a short secret', [{ version: 1, secret: Buffer.alloc(31) }]],
  ['version 0', [pepper(0)]],
  ['half a version', [pepper(1.5)]],
])('refuses %s', (_, peppers) => {
  expect(() => createPepperRing(peppers)).toThrow(RangeError);
});

test('refuses a current version that is not there', () => {
  expect(() => createPepperRing([pepper(1)], 2)).toThrow(RangeError);
});
