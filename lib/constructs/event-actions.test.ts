import { plannedCapacityAt } from '@matsuri/contract';
import type { PlatformConfiguration } from '@matsuri/contract';

import { environmentOf } from '../config/environment';
import { ENVIRONMENTS } from '../config/environments';
import { eventActions } from './event-actions';

const NOW_MS = Date.parse('2026-11-18T12:00:00+09:00');
const { platform } = environmentOf('prod', ENVIRONMENTS.prod, NOW_MS);

const sale = {
  name: 'sale',
  class: 'sustained' as const,
  multiplier: 4,
  start: '2026-12-05T00:00:00+09:00',
  end: '2026-12-07T00:00:00+09:00',
  leadSeconds: 3 * 3_600,
  tasks: 40,
  units: { complex: 25, simple: 8 },
};

function withEvents(...events: PlatformConfiguration['calendar']['events']): PlatformConfiguration {
  return { ...platform, calendar: { ...platform.calendar, events, weekly: [] } };
}

const names = (it: PlatformConfiguration, nowMs = NOW_MS) =>
  eventActions(it, nowMs).map(({ name }) => name);

test('an event raises the floor by its lead, holds it, and gives it back to the hour’s schedule', () => {
  expect(eventActions(withEvents(sale), NOW_MS)).toEqual([
    { name: 'event-sale-raise', expression: 'at(2026-12-04T21:00:00)', minTasks: 40 },
    {
      name: 'event-sale-hold',
      expression: 'cron(1,31 * * * ? *)',
      minTasks: 40,
      fromMs: Date.parse('2026-12-04T21:00:00+09:00'),
      toMs: Date.parse('2026-12-07T00:00:00+09:00'),
    },
    { name: 'event-sale-return', expression: 'at(2026-12-07T00:00:00)', minTasks: 10 },
  ]);
});

test('an event that has begun is not raised in the past, which AWS refuses, but held to its end', () => {
  const during = Date.parse('2026-12-05T12:00:00+09:00');
  expect(names(withEvents(sale), during)).toEqual(['event-sale-hold', 'event-sale-return']);
  const [hold] = eventActions(withEvents(sale), during);
  expect(hold).not.toHaveProperty('fromMs');
});

test('an event that is over is forgotten, and one of next year too far away', () => {
  expect(names(withEvents(sale), Date.parse('2026-12-08T00:00:00+09:00'))).toEqual([]);
  expect(names(withEvents(sale), Date.parse('2025-11-01T00:00:00+09:00'))).toEqual([]);
});

test('of two events at once the higher floor is written later in the half hour, and so prevails', () => {
  const larger = { ...sale, name: 'festival', tasks: 60 };
  const holds = eventActions(withEvents(larger, sale), NOW_MS).filter(({ name }) =>
    name.endsWith('-hold'),
  );
  expect(holds.map(({ minTasks, expression }) => [minTasks, expression])).toEqual([
    [60, 'cron(2,32 * * * ? *)'],
    [40, 'cron(1,31 * * * ? *)'],
  ]);
});

test('no event asks for more than the service may have', () => {
  const huge = { ...sale, tasks: 10_000 };
  for (const { minTasks } of eventActions(withEvents(huge), NOW_MS)) {
    expect(minTasks).toBeLessThanOrEqual(platform.scaling.maxTasks);
  }
});

test('over the shipped year, what an action sets is what the plan asks for at that instant', () => {
  const single = eventActions(platform, NOW_MS).filter(({ expression }) =>
    expression.startsWith('at('),
  );
  expect(single.length).toBeGreaterThan(4);
  for (const { expression, minTasks } of single) {
    const atMs = Date.parse(`${expression.slice(3, -1)}+09:00`);
    expect(minTasks).toBe(plannedCapacityAt(platform, atMs).minTasks);
  }
});

test('a weekly release is prepared the evening before, day by day, without a date', () => {
  const weekly = eventActions(
    { ...platform, calendar: { ...platform.calendar, events: [] } },
    NOW_MS,
  );
  expect(weekly.map(({ name, expression }) => [name, expression])).toEqual([
    ['event-weekly_shonen_jump-raise', 'cron(0 21 ? * SUN *)'],
    ['event-weekly_shonen_jump-hold-sun', 'cron(1,31 21-23 ? * SUN *)'],
    ['event-weekly_shonen_jump-hold-mon', 'cron(1,31 0-3 ? * MON *)'],
    ['event-weekly_shonen_jump-return', 'cron(0 4 ? * MON *)'],
  ]);
});
