import fc from 'fast-check';
import { Rota } from './rota';

const STEPS = 6;

function round(rota: Rota<number>): number[] {
  return Array.from({ length: STEPS }, () => rota.next()).flat();
}

test('a round sees to everybody once, in steps of the same size', () => {
  const rota = new Rota<number>(STEPS);
  for (let member = 0; member < 60; member += 1) rota.add(member);
  const steps = Array.from({ length: STEPS }, () => rota.next());
  expect(steps.map(({ length }) => length)).toEqual([10, 10, 10, 10, 10, 10]);
  expect(new Set(steps.flat()).size).toBe(60);
});

test('those who stay are seen to in time when most of the others leave', () => {
  const rota = new Rota<number>(STEPS);
  for (let member = 0; member < 1_000; member += 1) rota.add(member);
  rota.next();
  for (let member = 0; member < 700; member += 1) rota.delete(member);
  expect(round(rota)).toHaveLength(300);
});

test('whoever comes and goes, nobody waits longer than a round', () => {
  const change = fc.record({ member: fc.nat(20), comes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fc.array(change)), (changesByStep) => {
      const rota = new Rota<number>(STEPS);
      const waited = new Map<number, number>();
      for (const changes of changesByStep) {
        for (const { member, comes } of changes) {
          if (comes) {
            rota.add(member);
            if (!waited.has(member)) waited.set(member, 0);
          } else expect(rota.delete(member)).toBe(waited.delete(member));
        }
        for (const [member, steps] of waited) waited.set(member, steps + 1);
        for (const member of rota.next()) waited.set(member, 0);
        expect([...rota].sort()).toEqual([...waited.keys()].sort());
        expect(Math.max(0, ...waited.values())).toBeLessThan(STEPS);
      }
    }),
  );
});
