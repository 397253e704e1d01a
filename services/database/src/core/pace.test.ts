import fc from 'fast-check';
import { newPace, notePace, paceWaitMs } from './pace';

test('after a quiet time several go at once, then one in every interval', () => {
  const pace = newPace({ everyMs: 4, burst: 3 });
  const wentAt: number[] = [];
  for (let nowMs = 100; nowMs < 120; nowMs += 1) {
    while (paceWaitMs(pace, nowMs) === 0) {
      wentAt.push(nowMs);
      notePace(pace, nowMs);
    }
  }
  expect(wentAt).toEqual([100, 100, 100, 104, 108, 112, 116]);
});

test('over any time no more go than the pace and one burst allow, and whoever waits as told may go', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      (gaps, burst) => {
        const pace = newPace({ everyMs: 4, burst });
        let nowMs = 0;
        const wentAt = gaps.map((gap) => {
          nowMs += gap;
          nowMs += paceWaitMs(pace, nowMs);
          expect(paceWaitMs(pace, nowMs)).toBeCloseTo(0, 9);
          notePace(pace, nowMs);
          return nowMs;
        });
        wentAt.forEach((from, first) => {
          wentAt.slice(first).forEach((to, count) => {
            expect(count + 1).toBeLessThanOrEqual((to - from) / 4 + burst + 1e-6);
          });
        });
      },
    ),
  );
});
