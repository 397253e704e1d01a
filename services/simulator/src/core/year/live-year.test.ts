import { configure, type PlatformOverrides } from '@matsuri/contract';
import { findingsOf } from './findings';
import { liveYear } from './live-year';
import { findingText } from './year-presentation';

/** A Sunday evening; the release comes at midnight. */
const FROM_MS = Date.parse('2026-06-07T18:00:00+09:00');
const DAYS = 1;
const START_UP = { seconds: 50, spreadSeed: 7 };

const GENEROUS = configure({}).quotas.map((quota) => ({
  ...quota,
  requestsPerMinute: 20_000,
  tokensPerMinute: 50_000_000,
}));

function lived(overrides: PlatformOverrides = {}) {
  const configuration = configure(overrides);
  const outcome = liveYear({
    configuration,
    fromMs: FROM_MS,
    days: DAYS,
    startUp: START_UP,
    seed: 7,
  });
  return { outcome, findings: findingsOf(outcome, configuration) };
}

test('with quotas for its calendar an environment keeps its promises', () => {
  const { findings, outcome } = lived({ quotas: GENEROUS });
  expect(findings).toEqual([]);
  expect(outcome.throttleMinutes).toBe(0);
  expect(outcome.spells.map((it) => it.event?.event.name)).toContain('weekly_shonen_jump');
});

test('too small a quota is found at the release, with the alias and what to ask for', () => {
  const { findings } = lived();
  const [first] = findings;
  expect(first).toMatchObject({ event: 'weekly_shonen_jump', breaks: 'slo', times: 1 });
  const text = first === undefined ? '' : findingText(first, 'Asia/Tokyo');
  expect(text).toContain('2026-06-08 00:0');
  expect(text).toMatch(/'complex' is asked for [\d,]+ tokens\/min, its quotas add up to 8,000,000/);
  expect(text).toContain('turn provisioned.enabled on');
});

test('provisioned units take throttles off, and are paid by the hour', () => {
  const without = lived().outcome;
  const { outcome } = lived({ provisioned: { enabled: true } });
  const throttled = ({ spells }: typeof outcome) =>
    spells.reduce((sum, it) => sum + it.throttled.complex + it.throttled.simple, 0);
  expect(throttled(outcome)).toBeLessThan(throttled(without) * 0.6);
  expect(outcome.unitHours).toBeGreaterThan(0);
  expect(outcome.dollars.units).toBeGreaterThan(0);
  expect(outcome.dollars.tokens).toBeLessThan(without.dollars.tokens);
});

test('too few tasks are found, with how many there should be', () => {
  const tiny = { minTasks: 1, maxTasks: 2, schedule: [], eventMinTasks: 1 };
  const { findings } = lived({ quotas: GENEROUS, scaling: tiny });
  expect(findings.map((it) => it.change).join('\n')).toMatch(/raise scaling\.maxTasks to \d+/);
});

test('a ceiling on spending that the calendar passes is found by the hour and by the day', () => {
  const spend = { maxModelDollarsPerHour: 300, maxModelDollarsPerDay: 3_000 };
  const { findings } = lived({ quotas: GENEROUS, spend });
  const budget = findings.filter((it) => it.breaks === 'budget');
  const changes = budget.map((it) => it.change).join('\n');
  expect(changes).toMatch(/raise spend\.maxModelDollarsPerHour to [\d,]+/);
  expect(changes).toMatch(/raise spend\.maxModelDollarsPerDay to [\d,]+/);
});

test('a seed repeats the whole', () => {
  expect(lived().outcome).toEqual(lived().outcome);
});
