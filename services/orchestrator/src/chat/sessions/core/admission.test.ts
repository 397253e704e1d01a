import fc from 'fast-check';
import { admit, capacity, newAdmission, release, type AdmissionSettings } from './admission';

const settings: AdmissionSettings = { slots: 50, maxInHand: 300, maxQueueMs: 1_000 };

function enterAll(state: ReturnType<typeof newAdmission>, offered: number): number {
  let admitted = 0;
  for (let at = 0; at < offered; at += 1) if (admit(state, settings).admitted) admitted += 1;
  return admitted;
}

test('takes in what finds a slot within its patience, and no more', () => {
  const state = { ...newAdmission(), meanHeldMs: 1_000 };
  expect(enterAll(state, 1_000)).toBe(100);
});

test('slow answers leave no room to wait, quick ones a lot, within the limit of the task', () => {
  expect(capacity({ inHand: 0, meanHeldMs: 60_000 }, settings)).toBe(50);
  expect(capacity({ inHand: 0, meanHeldMs: 10 }, settings)).toBe(300);
});

test('a refusal says when to come back', () => {
  const state = newAdmission();
  enterAll(state, 1_000);
  expect(admit(state, settings)).toEqual({ admitted: false, retryAfterMs: 1_000 });
});

test('learns how long answers hold a slot, without mistaking the wait for it', () => {
  const state = newAdmission();
  enterAll(state, 75);
  for (let at = 0; at < 500; at += 1) {
    release(state, 1_500, settings);
    admit(state, settings);
  }
  expect(state.meanHeldMs).toBeGreaterThan(950);
  expect(state.meanHeldMs).toBeLessThan(1_100);
});

test('whatever comes and goes, never more in hand than there is room, never less than none', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(100_000))), (steps) => {
      const state = newAdmission();
      for (const [comes, tookMs] of steps) {
        if (comes) admit(state, settings);
        else if (state.inHand > 0) release(state, tookMs, settings);
        expect(state.inHand).toBeGreaterThanOrEqual(0);
        expect(state.inHand).toBeLessThanOrEqual(settings.maxInHand);
      }
    }),
  );
});
