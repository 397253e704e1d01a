import { describeContradictions } from '../../test/contradiction-of';
import type { PlatformOverrides } from '../configuration/platform';

type Event = NonNullable<NonNullable<PlatformOverrides['calendar']>['events']>[number];

const FAIR: Event = {
  name: 'fair',
  class: 'burst',
  multiplier: 2,
  start: '2026-09-01T00:00:00+09:00',
  end: '2026-09-03T00:00:00+09:00',
  leadSeconds: 10_800,
  tasks: 20,
  units: { complex: 25, simple: 8 },
};

const events = (...list: Event[]): PlatformOverrides => ({ calendar: { events: list } });

describeContradictions('events and provisioned units', [
  {
    id: 'event-naive-time',
    when: 'a time has no offset',
    overrides: events({ ...FAIR, start: '2026-09-01T00:00:00' }),
    says: /'fair' has a time without an offset \(2026-09-01T00:00:00\)/,
    fix: /'2026-09-01T00:00:00\+09:00' for Japan/,
  },
  {
    id: 'event-ends-before-start',
    when: 'an event ends before it starts',
    overrides: events({ ...FAIR, end: '2026-08-01T00:00:00+09:00' }),
    says: /'fair' ends \(2026-08-01T00:00:00\+09:00\) before or when it starts/,
    fix: /Correct start or end of 'fair'/,
  },
  {
    id: 'event-name-twice',
    when: 'two events share a name',
    overrides: events(FAIR, { ...FAIR, start: '2026-09-02T00:00:00+09:00' }),
    says: /Two events are called 'fair'/,
    fix: /a name of its own, such as 'fair_2'/,
  },
  {
    id: 'events-overlap',
    when: 'two events run at the same time',
    severity: 'warning',
    overrides: events(FAIR, {
      ...FAIR,
      name: 'sale',
      start: '2026-09-02T00:00:00+09:00',
      tasks: 50,
      multiplier: 5,
    }),
    says: /'fair' \(until 2026-09-03.*\) and 'sale' \(from 2026-09-02.*\) overlap: the maximum applies \(50 tasks, 5x traffic\), not the sum/,
    fix: /Nothing, if the maximum is meant/,
  },
  {
    id: 'event-lead-too-short',
    when: 'units would be active after the event began',
    overrides: events({ ...FAIR, leadSeconds: 600 }),
    says: /'fair' is prepared 600 s ahead, but provisioned throughput takes 900 s and a task 50 s/,
    fix: /leadSeconds of 'fair' to at least 900/,
  },
  {
    id: 'units-over-cap',
    when: 'an event asks for more units than may be bought',
    overrides: { provisioned: { maxUnits: { complex: 20 } } },
    says: /the event 'new_year_sale' asks for 25 complex units, provisioned\.maxUnits\.complex stops at 20/,
    fix: /Raise provisioned\.maxUnits\.complex to 25/,
  },
  {
    id: 'units-over-budget',
    when: 'the units of an event cost more than the hourly cap',
    overrides: { provisioned: { maxDollarsPerHour: 100 } },
    says: /'new_year_sale' asks for 25 complex and 8 simple units, \$110\.64 an hour, but provisioned\.maxDollarsPerHour is \$100/,
    fix: /maxDollarsPerHour to 111/,
  },
  {
    id: 'windows-do-not-cover-day',
    when: 'there is a gap between two windows',
    overrides: {
      provisioned: {
        windows: [
          {
            from: '02:00',
            to: '12:00',
            units: { complex: 1, simple: 1 },
            estimatedMonthlyDollars: 0,
          },
          {
            from: '13:00',
            to: '02:00',
            units: { complex: 2, simple: 1 },
            estimatedMonthlyDollars: 0,
          },
        ],
      },
    },
    says: /At 12:00 no window of provisioned\.windows apply/,
    fix: /Let each window begin where the one before ends/,
  },
  {
    id: 'windows-do-not-cover-day',
    when: 'two windows overlap',
    overrides: {
      provisioned: {
        windows: [
          {
            from: '02:00',
            to: '14:00',
            units: { complex: 1, simple: 1 },
            estimatedMonthlyDollars: 0,
          },
          {
            from: '13:00',
            to: '02:00',
            units: { complex: 2, simple: 1 },
            estimatedMonthlyDollars: 0,
          },
        ],
      },
    },
    says: /At 13:00 2 windows of provisioned\.windows apply/,
    fix: /Let each window begin where the one before ends/,
  },
  {
    id: 'unknown-time-zone',
    when: 'the calendar is in no known zone',
    overrides: { calendar: { timeZone: 'Tokyo' } },
    says: /calendar\.timeZone names the time zone 'Tokyo'/,
    fix: /IANA name/,
  },
]);
