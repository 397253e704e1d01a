import fc from 'fast-check';
import { instantOfLocal, offsetMinutes, wallClock } from './wall-clock';

const instant = fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') });

test.each([
  ['2026-11-22T15:00:00Z', { month: 11, day: 23, weekday: 'MON', hour: 0, minute: 0 }],
  ['2026-11-22T14:59:59Z', { month: 11, day: 22, weekday: 'SUN', hour: 23, minute: 59 }],
  ['2026-12-31T15:00:00Z', { year: 2027, month: 1, day: 1, hour: 0 }],
  ['2028-02-28T15:00:00Z', { month: 2, day: 29, weekday: 'TUE' }],
])('in Tokyo, %s shows the local day and hour', (iso, expected) => {
  expect(wallClock(Date.parse(iso), 'Asia/Tokyo')).toMatchObject(expected);
});

test('the quick way through Tokyo agrees with Intl', () => {
  const byIntl = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Tokyo',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  fc.assert(
    fc.property(instant, (epochMs) => {
      const { hour, minute } = wallClock(epochMs, 'Asia/Tokyo');
      const shown = [hour, minute].map((it) => String(it).padStart(2, '0')).join(':');
      expect(shown).toBe(byIntl.format(epochMs));
    }),
  );
});

test.each([
  ['2026-01-15T12:00:00Z', 'America/New_York', -300],
  ['2026-07-15T12:00:00Z', 'America/New_York', -240],
  ['2026-07-15T12:00:00Z', 'Asia/Kolkata', 330],
  ['2026-01-15T12:00:00Z', 'Europe/London', 0],
])('at %s %s is %d minutes east', (iso, timeZone, minutes) => {
  expect(offsetMinutes(Date.parse(iso), timeZone)).toBe(minutes);
});

test.each(['Asia/Tokyo', 'Asia/Kolkata', 'America/New_York'])(
  'in %s a wall time leads back to an instant that shows it',
  (timeZone) => {
    // Local hours that exist once; the hour around a change of clocks is decided, not reversible.
    const noons = fc.integer({ min: 0, max: 40_000 }).map((day) => day * 86_400_000 + 43_200_000);
    fc.assert(
      fc.property(noons, (localAsUtcMs) => {
        const clock = wallClock(instantOfLocal(localAsUtcMs, timeZone), timeZone);
        expect([clock.hour, clock.minute]).toEqual([12, 0]);
      }),
    );
  },
);
