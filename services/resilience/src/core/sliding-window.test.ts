import fc from 'fast-check';
import { createWindow, readBuckets, recordCall, sumOf } from './sliding-window';

const call = fc.record({
  afterMs: fc.oneof(fc.nat(300), fc.nat(15_000)),
  failed: fc.boolean(),
  slow: fc.boolean(),
});

test('running totals equal a count of the calls whose second is within the window', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.array(call, { maxLength: 60 }), (startMs, calls) => {
      const window = createWindow(10, 1_000, startMs);
      const seen: { second: number; failed: boolean; slow: boolean }[] = [];
      let nowMs = startMs;
      for (const { afterMs, failed, slow } of calls) {
        nowMs += afterMs;
        recordCall(window, failed, slow, nowMs);
        seen.push({ second: Math.floor(nowMs / 1_000), failed, slow });
        const inside = seen.filter(({ second }) => second > Math.floor(nowMs / 1_000) - 10);
        const expected = {
          calls: inside.length,
          failures: inside.filter((each) => each.failed).length,
          slow: inside.filter((each) => each.slow).length,
        };
        expect(window.totals).toEqual(expected);
        expect(sumOf(readBuckets(window, nowMs))).toEqual(expected);
      }
    }),
  );
});
