import { Door } from './door';

const options = { slots: 50, maxInHand: 300, maxQueueMs: 1_000, maxConnections: 3 };

function aDoor() {
  const onShed = jest.fn<undefined, [string]>();
  return { door: new Door({ ...options, shedAtLoopDelayMs: 1, onShed }), onShed };
}

/** Holds up the event loop, and lets the door notice. */
async function keepBusy(): Promise<void> {
  const untilMs = performance.now() + 300;
  while (performance.now() < untilMs);
  await new Promise((resolve) => setTimeout(resolve));
}

test('a connection is let in while there is a place', () => {
  const { door, onShed } = aDoor();
  expect(door.connect(2)).toEqual({ admitted: true });
  expect(door.connect(3)).toEqual({ admitted: false, retryAfterMs: 5_000 });
  expect(onShed.mock.calls).toEqual([['connections']]);
  door.close();
});

test('nothing new is opened while the event loop is hopelessly late', async () => {
  const { door, onShed } = aDoor();
  expect(door.open()).toEqual({ admitted: true });
  await keepBusy();
  expect(door.open()).toEqual({ admitted: false, retryAfterMs: 1_000 });
  expect(door.connect(0)).toEqual({ admitted: false, retryAfterMs: 1_000 });
  expect(onShed.mock.calls).toEqual([['event_loop'], ['event_loop']]);
  door.close();
});
