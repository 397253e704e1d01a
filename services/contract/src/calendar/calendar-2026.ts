import type { z } from 'zod';
import { HOUR_SECONDS, type calendarSchema } from './calendar-schema';

type Calendar = z.input<typeof calendarSchema>;
type Event = Calendar['events'][number];
type EventClass = Event['class'];

const LEAD_SECONDS = 3 * HOUR_SECONDS;
const EVENT_UNITS = { complex: 25, simple: 8 };
const EVENT_MIN_TASKS = 20;
const TASKS_PER_MULTIPLE = 10;

/** An event of whole days in Japan, `firstDay` and `dayAfter` as `MM-DD`. */
function days(
  name: string,
  eventClass: EventClass,
  multiplier: number,
  firstDay: string,
  dayAfter: string,
): Event {
  return {
    name,
    class: eventClass,
    multiplier,
    start: `2026-${firstDay}T00:00:00+09:00`,
    end: `${dayAfter.length === 5 ? `2026-${dayAfter}` : dayAfter}T00:00:00+09:00`,
    leadSeconds: LEAD_SECONDS,
    tasks: Math.max(EVENT_MIN_TASKS, multiplier * TASKS_PER_MULTIPLE),
    units: EVENT_UNITS,
  };
}

/** The year's events and the weekly release, as they are known for 2026. */
export const CALENDAR_2026: Calendar = {
  timeZone: 'Asia/Tokyo',
  events: [
    days('new_year_sale', 'sustained', 5, '01-01', '01-08'),
    days('anime_premieres_winter', 'burst', 2, '01-10', '01-17'),
    days('manga_award_season', 'burst', 2, '03-01', '03-15'),
    days('anime_premieres_spring', 'burst', 2, '04-10', '04-17'),
    days('golden_week', 'sustained', 3, '04-29', '05-06'),
    days('anime_premieres_summer', 'burst', 2, '07-10', '07-17'),
    days('prime_day', 'sustained', 4, '07-15', '07-18'),
    days('summer_comiket', 'sustained', 3, '08-10', '08-14'),
    days('anime_premieres_autumn', 'burst', 2, '10-10', '10-17'),
    days('black_friday', 'sustained', 5, '11-27', '12-01'),
    days('cyber_monday', 'sustained', 4, '11-30', '12-02'),
    days('jump_festa', 'burst', 3, '12-19', '12-21'),
    days('year_end_sale', 'sustained', 4, '12-20', '2027-01-01'),
  ],
  weekly: [
    {
      name: 'weekly_shonen_jump',
      class: 'burst',
      multiplier: 5,
      weekday: 'MON',
      at: '00:00',
      durationSeconds: 4 * HOUR_SECONDS,
      leadSeconds: LEAD_SECONDS,
      tasks: 50,
      units: EVENT_UNITS,
    },
  ],
};
