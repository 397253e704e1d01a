import fc from 'fast-check';
import { admit, admitCall, capacity, type AdmissionSettings, type Workload } from './admission';

const settings: AdmissionSettings = { slots: 50, maxInHand: 300, maxQueueMs: 1_000 };
const idle: Workload = { inHand: 0, outside: 0, meanHeldMs: 1_000 };

function enterAll(offered: number, meanHeldMs?: number): number {
  let inHand = 0;
  for (let at = 0; at < offered; at += 1) {
    if (admit({ inHand, outside: 0, meanHeldMs }, settings).admitted) inHand += 1;
  }
  return inHand;
}

test('takes in what finds a slot within its patience, and no more', () => {
  expect(enterAll(1_000, 1_000)).toBe(100);
});

test('slow answers leave no room to wait, quick ones a lot, within the limit of the task', () => {
  expect(capacity({ meanHeldMs: 60_000 }, settings)).toBe(50);
  expect(capacity({ meanHeldMs: 10 }, settings)).toBe(300);
});

test('until a slot has come back, answers are taken to be as long as usual', () => {
  expect(enterAll(1_000)).toBe(75);
});

test('a refusal says when there will be room, those who wait outside first', () => {
  const full = { ...idle, inHand: 100 };
  expect(admit(full, settings)).toMatchObject({ retryAfterMs: 1_000 });
  expect(admit({ ...full, outside: 249 }, settings)).toMatchObject({ retryAfterMs: 5_000 });
  expect(admit({ ...full, outside: 9_999 }, settings)).toMatchObject({ retryAfterMs: 10_000 });
});

test('a refusal says what there is too little of', () => {
  expect(admit({ ...idle, inHand: 60 }, settings, 0.5)).toMatchObject({ reason: 'event_loop' });
  expect(admit({ ...idle, inHand: 100 }, settings, 0.5)).toMatchObject({ reason: 'queue' });
});

test('one message is let in however late the event loop is', () => {
  expect(admit({ ...idle, meanHeldMs: 60_000 }, settings, 0.001).admitted).toBe(true);
});

test.each([
  ['queues for slots while the loop is punctual', 1_000, 1, true],
  ['is let in while the loop is late and few are', 29, 0.1, true],
  ['is turned away while the loop is late and many are', 30, 0.1, false],
])('a call that is no message %s', (_, inHand, share, admitted) => {
  expect(admitCall({ ...idle, inHand }, settings, share).admitted).toBe(admitted);
});

test('never more in hand than the limit of the task, and a true time to come back', () => {
  const work = fc.record({
    inHand: fc.nat(1_000),
    outside: fc.nat(100_000),
    meanHeldMs: fc.option(fc.nat(1_000_000), { nil: undefined }),
  });
  fc.assert(
    fc.property(work, fc.double({ min: 0.1, max: 1, noNaN: true }), (it, share) => {
      const entry = admit(it, settings, share);
      if (entry.admitted) expect(it.inHand).toBeLessThan(settings.maxInHand);
      else expect(entry.retryAfterMs).toBeGreaterThanOrEqual(1_000);
    }),
  );
});
