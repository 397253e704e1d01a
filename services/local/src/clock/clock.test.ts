import { elapsed, every } from './clock';
import { manualClock } from './manual-clock';
import { scaledClock } from './scaled-clock';

test('a manual clock runs what falls due in order of time, not of asking', async () => {
  const clock = manualClock(1_000);
  const seen: string[] = [];
  clock.after(20, () => seen.push(`late at ${clock.nowMs()}`));
  clock.after(10, () => seen.push(`early at ${clock.nowMs()}`));

  await clock.advance(50);

  expect(seen).toEqual(['early at 1010', 'late at 1020']);
  expect(clock.nowMs()).toBe(1_050);
});

test('a repeated callback runs once per interval until it is stopped', async () => {
  const clock = manualClock(0);
  let runs = 0;
  const stop = every(clock, 10, () => (runs += 1));
  await clock.advance(35);
  stop();
  await clock.advance(100);

  expect(runs).toBe(3);
});

test('a wait ends early when it is aborted', async () => {
  const clock = manualClock(0);
  const controller = new AbortController();
  const waited = elapsed(clock, 1_000, controller.signal);
  controller.abort();

  await expect(waited).resolves.toBeUndefined();
});

test('a scaled clock starts where it is told and fires in virtual time', async () => {
  const clock = scaledClock({ timeScale: 1_000, startAtMs: 5_000_000 });
  await new Promise<void>((resolve) => clock.after(2_000, resolve));

  expect(clock.nowMs()).toBeGreaterThanOrEqual(5_002_000);
  expect(clock.origin).toMatchObject({ virtualMs: 5_000_000, timeScale: 1_000 });
});

test('a clock made from the origin of another shows the same time', () => {
  const first = scaledClock({ timeScale: 60, startAtMs: Date.UTC(2026, 10, 26) });
  const second = scaledClock({ origin: first.origin });

  expect(Math.abs(second.nowMs() - first.nowMs())).toBeLessThan(60 * 100);
});
