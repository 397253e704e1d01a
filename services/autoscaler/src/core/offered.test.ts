import { defaultConfiguration } from '@matsuri/contract';
import { offeredSlots } from './offered';
import { measure } from './telemetry';

const NOW_MS = 1_000_000;
const before = { atMs: NOW_MS - 10_000, waiting: 0 };

interface Figures {
  readonly inFlight: number;
  readonly waiting: number;
  readonly arrivalsPerSecond?: number;
  readonly desired?: number;
  readonly waitedBefore?: number;
}

function offered({ inFlight, waiting, arrivalsPerSecond, desired = 10, waitedBefore }: Figures) {
  const reading = (value: number) => ({ value, atMs: NOW_MS });
  const measured = measure(
    {
      tasks: { running: 10, desired, minCapacity: 5 },
      service: {
        inFlight: reading(inFlight),
        waiting: reading(waiting),
        arrivalsPerSecond: arrivalsPerSecond === undefined ? undefined : reading(arrivalsPerSecond),
      },
      models: { complex: {}, simple: {} },
      throughputs: [],
      freeze: { scaleOut: false, scaleIn: false },
    },
    defaultConfiguration,
    NOW_MS,
  );
  const past = { ...before, waiting: waitedBefore ?? before.waiting };
  return offeredSlots(measured, past, defaultConfiguration);
}

test('where nobody waits, the slots in use are what is asked for', () => {
  expect(offered({ inFlight: 400, waiting: 0, arrivalsPerSecond: 100 })).toBe(400);
});

test('a queue of short calls asks for little, the same queue of long calls for much', () => {
  const short = offered({ inFlight: 500, waiting: 700, arrivalsPerSecond: 570 }) ?? 0;
  const long = offered({ inFlight: 500, waiting: 700, arrivalsPerSecond: 120 }) ?? 0;
  // Seventy a second came on top, and seventy a second clear the queue: of a second each, or of ten.
  expect(short).toBeCloseTo(500 + 140);
  expect(long).toBeCloseTo(500 + 1_400);
});

test('tasks on their way take their share of the queue', () => {
  const queue = { inFlight: 500, waiting: 700, arrivalsPerSecond: 570 };
  expect(offered({ ...queue, desired: 24 })).toBeCloseTo(500 + 70);
});

test('with no arrivals counted, or hardly one started, whoever waits is a slot', () => {
  expect(offered({ inFlight: 500, waiting: 700 })).toBe(1_200);
  expect(offered({ inFlight: 500, waiting: 700, arrivalsPerSecond: 75 })).toBe(1_200);
});

test('ten times what fits, turned away and told to come back in ten seconds, asks for ten times the slots', () => {
  const outside = 2_250;
  const shut = { inFlight: 50, waiting: outside, waitedBefore: outside, arrivalsPerSecond: 25 };
  expect(offered(shut)).toBeCloseTo(500);
});
