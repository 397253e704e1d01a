import { newTurnedAway, noteTurnedAway, stillAway } from './turned-away';

test('a crowd that is turned away at once waits together until it is due back', () => {
  const away = newTurnedAway();
  for (let n = 0; n < 400; n += 1) noteTurnedAway(away, 1_000, 5_000);
  expect(stillAway(away, 5_000)).toBe(400);
  expect(stillAway(away, 5_899)).toBe(400);
  expect(stillAway(away, 6_000)).toBe(0);
});

test('clients that come back as they were told and are turned away again are as many as they are', () => {
  const away = newTurnedAway();
  const seen = new Set<number>();
  for (let nowMs = 0; nowMs < 60_000; nowMs += 10) {
    noteTurnedAway(away, 1_000, nowMs);
    if (nowMs > 2_000) seen.add(stillAway(away, nowMs));
  }
  // One hundred clients, one every 10 ms; a tick is ten of them.
  expect(Math.max(...seen)).toBeLessThanOrEqual(100);
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(90);
});

test('each is due when it was told, however long ago anybody looked', () => {
  const away = newTurnedAway();
  noteTurnedAway(away, 8_000, 0);
  noteTurnedAway(away, 2_000, 0);
  expect(stillAway(away, 2_500)).toBe(1);
  noteTurnedAway(away, 1_000, 2_500);
  expect(stillAway(away, 1_000_000)).toBe(0);
  noteTurnedAway(away, 1_000, 1_000_000);
  expect(stillAway(away, 1_000_500)).toBe(1);
});

test('nobody is counted for longer than a reporting period, nor forgotten at once', () => {
  const away = newTurnedAway();
  noteTurnedAway(away, 300_000, 0);
  noteTurnedAway(away, 0, 0);
  expect(stillAway(away, 50)).toBe(2);
  expect(stillAway(away, 9_999)).toBe(1);
  expect(stillAway(away, 10_000)).toBe(0);
});
