import fc from 'fast-check';
import { configure, defaultConfiguration as shipped } from '../configuration/configure';
import { eventsInForceAt } from './floors';
import { occurrencesBetween, unusableEvents } from './occurrences';

const HOUR_MS = 3_600_000;

test('the weekly release happens once a week, at midnight in Japan', () => {
  const from = Date.parse('2026-06-01T12:00:00+09:00');
  const starts = occurrencesBetween(shipped.calendar, from, from + 28 * 24 * HOUR_MS)
    .filter((it) => it.event.name === 'weekly_shonen_jump')
    .map((it) => new Date(it.startMs).toISOString());
  expect(starts).toEqual([
    '2026-06-07T15:00:00.000Z',
    '2026-06-14T15:00:00.000Z',
    '2026-06-21T15:00:00.000Z',
    '2026-06-28T15:00:00.000Z',
  ]);
});

test('where clocks change, a weekly event keeps its wall time', () => {
  const { calendar } = configure({ calendar: { timeZone: 'America/New_York', events: [] } });
  const from = Date.parse('2026-03-04T00:00:00Z');
  const starts = occurrencesBetween(calendar, from, from + 10 * 24 * HOUR_MS).map((it) =>
    new Date(it.startMs).toISOString(),
  );
  // Monday 00:00 local is 05:00 UTC in winter and 04:00 UTC from 8 March on.
  expect(starts).toEqual(['2026-03-09T04:00:00.000Z']);
  const before = from - 7 * 24 * HOUR_MS;
  const earlier = occurrencesBetween(calendar, before, before + 6 * 24 * HOUR_MS);
  expect(earlier.map((it) => new Date(it.startMs).toISOString())).toEqual([
    '2026-03-02T05:00:00.000Z',
  ]);
});

test('an entry without an offset, or that ends before it starts, is dropped and named', () => {
  const [fair] = shipped.calendar.events;
  if (fair === undefined) throw new Error('the calendar is empty');
  const { calendar } = configure({
    calendar: {
      weekly: [],
      events: [
        { ...fair, name: 'naive', start: '2026-01-01T00:00:00' },
        { ...fair, name: 'backwards', end: fair.start },
        { ...fair, name: 'sound' },
      ],
    },
  });
  const during = Date.parse('2026-01-02T00:00:00+09:00');
  expect(eventsInForceAt(calendar, during).map((it) => it.event.name)).toEqual(['sound']);
  expect(unusableEvents(calendar)).toEqual(['naive', 'backwards']);
});

test('an event is in force exactly from its lead to its end', () => {
  const instants = fc.integer({
    min: Date.parse('2026-01-01T00:00:00Z'),
    max: Date.parse('2027-01-05T00:00:00Z'),
  });
  fc.assert(
    fc.property(instants, (epochMs) => {
      for (const it of occurrencesBetween(shipped.calendar, epochMs, epochMs + 1)) {
        expect(it.leadFromMs).toBeLessThanOrEqual(epochMs);
        expect(it.endMs).toBeGreaterThan(epochMs);
      }
    }),
  );
});
