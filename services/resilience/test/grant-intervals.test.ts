import fc from 'fast-check';
import { worstBurst } from './grant-intervals';

test('one pass finds what looking at every interval finds', () => {
  const grant = fc.record({ atMicros: fc.nat(1_000), amount: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(grant, { maxLength: 30 }), (grants) => {
      const times = grants.map(({ atMicros }) => atMicros);
      const excesses = times.flatMap((from) =>
        times
          .filter((to) => to >= from)
          .map((to) => {
            const inside = grants.filter(({ atMicros }) => atMicros >= from && atMicros <= to);
            return inside.reduce((sum, { amount }) => sum + amount, 0) - 0.01 * (to - from);
          }),
      );
      expect(worstBurst(grants, 0.01)).toBeCloseTo(Math.max(0, ...excesses));
    }),
  );
});

test('eleven at once are more than ten', () => {
  const grants = Array.from({ length: 11 }, () => ({ atMicros: 7, amount: 1 }));
  expect(worstBurst(grants, 1)).toBe(11);
});
