import { durationSeconds } from './duration';
import { momentOf } from './moment';

const NOW_MS = Date.parse('2026-11-18T00:00:00Z');

test.each([
  ['45s', 45],
  ['30m', 1_800],
  ['24h', 86_400],
  ['7d', 604_800],
  ['0s', 0],
  ['24', undefined],
  ['1.5h', undefined],
  ['-1d', undefined],
  ['1w', undefined],
])('%s lasts %s seconds', (text, seconds) => {
  expect(durationSeconds(text)).toBe(seconds);
});

test.each([
  ['7d', '2026-11-25T00:00:00.000Z'],
  ['2027-01-01', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T09:00:00+09:00', '2027-01-01T00:00:00.000Z'],
])('%s is %s', (text, iso) => {
  expect(momentOf(text, NOW_MS)?.toISOString()).toBe(iso);
});

test.each(['tomorrow', '2027', '2027-13-01', '2027-01-01T09:00', ''])('%j is no moment', (text) => {
  expect(momentOf(text, NOW_MS)).toBeUndefined();
});
