import fc from 'fast-check';
import { createFleet } from './fleet';

const LIMITS = { minTasks: 3, maxTasks: 20, startUp: { seconds: 50 } };

test('an ordered task serves after its start-up time and not before', () => {
  const fleet = createFleet(LIMITS, 5);
  fleet.order(10, 8);
  expect(fleet).toMatchObject({ running: 5, starting: 3, desired: 8 });
  for (let second = 10; second < 60; second += 1) fleet.wake(second);
  expect(fleet.running).toBe(5);
  fleet.wake(60);
  expect(fleet).toMatchObject({ running: 8, starting: 0 });
});

test('tasks that still start are given back before tasks that serve, those first that need longest', () => {
  const fleet = createFleet(LIMITS, 5);
  fleet.order(1, 8);
  fleet.wake(1);
  fleet.order(2, 10);
  fleet.order(3, 7);
  expect(fleet).toMatchObject({ running: 5, starting: 2, desired: 7 });
  for (let second = 2; second <= 51; second += 1) fleet.wake(second);
  expect(fleet.running).toBe(7);
});

test('tasks that differ serve one after the other, and all of them do', () => {
  const fleet = createFleet({ ...LIMITS, startUp: { seconds: 50, spreadSeed: 7 } }, 3);
  fleet.order(0, 20);
  const running = Array.from({ length: 151 }, (_, second) => {
    fleet.wake(second);
    return fleet.running;
  });
  expect(running[20]).toBe(3);
  expect(running[50]).toBeGreaterThan(3);
  expect(running[50]).toBeLessThan(20);
  expect(running[150]).toBe(20);
});

test('raising the floor raises the fleet, lowering it removes nobody', () => {
  const fleet = createFleet(LIMITS, 5);
  fleet.setFloor(1, 9);
  expect(fleet.desired).toBe(9);
  fleet.order(2, 4);
  expect(fleet.desired).toBe(9);
  fleet.setFloor(3, 3);
  expect(fleet.desired).toBe(9);
  fleet.order(4, 4);
  expect(fleet.desired).toBe(4);
});

test('an order for what there is already is no operation', () => {
  const fleet = createFleet(LIMITS, 5);
  fleet.order(1, 5);
  fleet.order(2, 6);
  fleet.order(3, 6);
  expect(fleet.operations).toBe(1);
});

test('whatever is ordered, tasks add up and stay within the limits', () => {
  const startUps = fc.record(
    { seconds: fc.integer({ min: 0, max: 60 }), spreadSeed: fc.nat() },
    { requiredKeys: ['seconds'] },
  );
  const orders = fc.array(fc.integer({ min: -5, max: 40 }), { maxLength: 200 });
  fc.assert(
    fc.property(orders, startUps, (wanted, startUp) => {
      const fleet = createFleet({ ...LIMITS, startUp }, 5);
      wanted.forEach((tasks, second) => {
        fleet.wake(second);
        fleet.order(second + 1, tasks);
        expect(fleet.running + fleet.starting).toBe(fleet.desired);
        expect(fleet.running).toBeGreaterThanOrEqual(0);
        expect(fleet.desired).toBe(Math.min(20, Math.max(3, tasks)));
      });
    }),
  );
});
