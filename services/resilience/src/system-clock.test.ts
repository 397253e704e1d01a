import { systemClock } from './system-clock';

test('time only goes forward, whatever the wall clock does', () => {
  const wallClock = jest.spyOn(Date, 'now').mockReturnValue(0);
  const before = systemClock.nowMs();
  wallClock.mockReturnValue(1e15);
  expect(systemClock.nowMs() - before).toBeGreaterThanOrEqual(0);
  expect(systemClock.nowMs() - before).toBeLessThan(60_000);
  wallClock.mockRestore();
});

test('a timer runs once its time has come', async () => {
  const startedMs = systemClock.nowMs();
  await new Promise<void>((resolve) => systemClock.after(2, resolve));
  expect(systemClock.nowMs() - startedMs).toBeGreaterThanOrEqual(1);
});

test('delays that setTimeout cannot hold do not run at once', async () => {
  const run = jest.fn();
  const cancels = [2 ** 31, 2 ** 40, Infinity].map((delayMs) => systemClock.after(delayMs, run));
  await new Promise<void>((resolve) => systemClock.after(5, resolve));
  expect(run).not.toHaveBeenCalled();
  for (const cancel of cancels) cancel();
});
