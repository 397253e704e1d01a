import { defaultConfiguration } from '@matsuri/contract';
import { offeredSlots } from './offered';
import { measure } from './telemetry';

const NOW_MS = 1_000_000;
const before = { atMs: NOW_MS - 10_000, waiting: 0 };

interface Figures {
  readonly inFlight: number;
  readonly waiting: number;
  readonly startsPerSecond?: number;
  readonly desired?: number;
}

function offered({ inFlight, waiting, startsPerSecond, desired = 10 }: Figures) {
  const reading = (value: number) => ({ value, atMs: NOW_MS });
  const measured = measure(
    {
      tasks: { running: 10, desired, minCapacity: 5 },
      service: {
        inFlight: reading(inFlight),
        waiting: reading(waiting),
        startsPerSecond: startsPerSecond === undefined ? undefined : reading(startsPerSecond),
      },
      models: { complex: {}, simple: {} },
      throughputs: [],
      freeze: { scaleOut: false, scaleIn: false },
    },
    defaultConfiguration,
    NOW_MS,
  );
  return offeredSlots(measured, before, defaultConfiguration);
}

test('where nobody waits, the slots in use are what is asked for', () => {
  expect(offered({ inFlight: 400, waiting: 0, startsPerSecond: 100 })).toBe(400);
});

test('a queue of short calls asks for little, the same queue of long calls for much', () => {
  const short = offered({ inFlight: 500, waiting: 700, startsPerSecond: 500 }) ?? 0;
  const long = offered({ inFlight: 500, waiting: 700, startsPerSecond: 50 }) ?? 0;
  // Seventy a second came on top, and a hundred a second clear the queue: of a second each, or of ten.
  expect(short).toBeCloseTo(500 + 170);
  expect(long).toBeCloseTo(500 + 1_700);
});

test('tasks on their way take their share of the queue', () => {
  const queue = { inFlight: 500, waiting: 700, startsPerSecond: 500 };
  expect(offered({ ...queue, desired: 24 })).toBeCloseTo(500 + 70);
});

test('without starts to count, whoever waits is a slot', () => {
  expect(offered({ inFlight: 500, waiting: 700 })).toBe(1_200);
  expect(offered({ inFlight: 500, waiting: 700, startsPerSecond: 0 })).toBe(1_200);
});
