import { steady, tinyWorkload, type TinyWorkload } from '../../../test/tiny-workloads';
import { createQueue } from './queue';

/** Lives through all seconds with the same slots; what was seen after each. */
function lived(tiny: TinyWorkload, slots: number) {
  const workload = tinyWorkload(tiny);
  const queue = createQueue(workload);
  const seen = tiny.arrivals.map((_, second) => {
    queue.step(second, slots);
    return { inFlight: queue.inFlight, waiting: queue.waiting, started: queue.started };
  });
  queue.close(tiny.arrivals.length);
  return { seen, late: queue.late, dropped: queue.dropped };
}

test('a request holds its slot for its time and the next takes it in the same second', () => {
  const { seen } = lived({ arrivals: [1, 1, 0, 0, 0], serviceSeconds: 2 }, 1);
  expect(seen).toEqual([
    { inFlight: 1, waiting: 0, started: 1 },
    { inFlight: 1, waiting: 1, started: 0 },
    { inFlight: 1, waiting: 0, started: 1 },
    { inFlight: 1, waiting: 0, started: 0 },
    { inFlight: 0, waiting: 0, started: 0 },
  ]);
});

test('who is answered or refused otherwise gives the slot to the next at once', () => {
  const workload = tinyWorkload({ arrivals: [10, 0], serviceSeconds: 2 });
  const queue = createQueue(workload, () => ({ answered: 0, throttled: 1 }));
  queue.step(0, 1);
  expect(queue).toMatchObject({ throttled: 10, inFlight: 0, waiting: 0 });
});

test.each([
  ['nobody is late who waits one second', [1, 1, 0, 0], 0],
  ['whoever waits two seconds is late', [2, 0, 0, 0], 1],
  ['the third of three waits four seconds, and is late as the second is', [3, 0, 0, 0, 0, 0], 2],
])('%s', (_, arrivals, late) => {
  expect(lived({ arrivals, serviceSeconds: 2 }, 1)).toMatchObject({ late, dropped: 0 });
});

test('whoever still waits when the traffic ends is late if he waited long enough', () => {
  expect(lived({ arrivals: [1, 1, 1, 1], serviceSeconds: 20 }, 1).late).toBe(2);
});

test('after thirty seconds a request is gone, and it is the oldest that goes', () => {
  const { seen, dropped, late } = lived({ arrivals: [3, ...steady(0, 31)] }, 0);
  expect(seen[30]?.waiting).toBe(3);
  expect(seen[31]?.waiting).toBe(0);
  expect({ dropped, late }).toEqual({ dropped: 3, late: 0 });
});

test('the beginning is served but not counted', () => {
  const arrivals = [3, 0, 0, 0, 0, 0, 0, 0];
  expect(lived({ arrivals, unscoredSeconds: 1 }, 1)).toMatchObject({ late: 0 });
});

test('fewer slots than are taken start nobody and stop nobody', () => {
  const workload = tinyWorkload({ arrivals: [2, 1, 0], serviceSeconds: 5 });
  const queue = createQueue(workload);
  queue.step(0, 2);
  queue.step(1, 1);
  expect(queue).toMatchObject({ inFlight: 2, waiting: 1, started: 0 });
});

test('first come, first served: waits never shrink while all wait', () => {
  const workload = tinyWorkload({ arrivals: steady(2, 20), serviceSeconds: 1 });
  const queue = createQueue(workload);
  const waits = workload.arrivals.map((_, second) => {
    queue.step(second, 1);
    return queue.longestWaitSeconds;
  });
  expect([...waits]).toEqual([...waits].sort((a, b) => a - b));
});
