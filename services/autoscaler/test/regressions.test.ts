import { configure } from '@matsuri/contract';
import { linearTrend } from '../src/core/prediction/linear-trend';
import { predict } from '../src/core/prediction/predictor';
import { recentRises } from '../src/core/prediction/recent-rises';
import { FRESH_STATE, decide } from '../src/core';
import {
  CYCLE_MS,
  MINUTE_MS,
  MORNING_MS,
  NIGHT_MS,
  buying,
  lastOf,
  run,
  shipped,
  snapshotAt,
  throughput,
  type Seen,
} from './cycles';
import { boughtSet } from './bought-set';

/** Each of these was wrong in the algorithm this one replaces. */

describe('A-1 units do not ratchet', () => {
  test('five minutes of twenty throttles per cycle buy once, within the caps, and add no task', () => {
    const set = boughtSet([throughput({ units: 15 }), throughput({ alias: 'simple', units: 5 })]);
    const decisions = run({
      configuration: buying,
      fromMs: MORNING_MS,
      cycles: 30,
      see: (cycle, last) => ({
        tasks: 20,
        inFlight: 200,
        complex: 14_000,
        simple: 8_000,
        throttles: { complex: 20, simple: 20 },
        throughputs: set.after(last, MORNING_MS + cycle * CYCLE_MS),
      }),
    });
    const { maxUnits } = buying.provisioned;
    const tokens = new Set(decisions.map((it) => it.plan.capacity.complex.purchase?.token));
    tokens.delete(undefined);
    expect(tokens.size).toBe(1);
    expect(set.units('complex')).toBeLessThanOrEqual(maxUnits.complex);
    expect(set.units('simple')).toBeLessThanOrEqual(maxUnits.simple);
    expect(Math.max(...decisions.map((it) => it.plan.tasks.floor))).toBe(52);
    expect(decisions.at(-1)?.plan.tasks.floors.map((it) => it.kind)).not.toContain('emergency');
  });

  test('a queue that stays does not add ten tasks per cycle while the first ten still start', () => {
    const decisions = run({
      cycles: 30,
      see: () => ({ tasks: 20, desired: 30, inFlight: 1_000, waiting: 200, queueDepth: 300 }),
    });
    const emergencies = decisions.map(
      (it) => it.plan.tasks.floors.find((floor) => floor.kind === 'emergency')?.tasks,
    );
    expect(new Set(emergencies)).toEqual(new Set([40]));
  });
});

describe('A-2 units are objects that are bought and given back', () => {
  test('more units are one more throughput, with a token that stays the same until it is listed', () => {
    const see = (): Seen => ({ complex: 4_500, throughputs: [throughput({ units: 5 })] });
    const [first, second] = run({ configuration: buying, fromMs: MORNING_MS, cycles: 2, see });
    expect(first?.plan.capacity.complex.purchase).toMatchObject({ units: 1, cause: 'demand' });
    expect(second?.plan.capacity.complex.purchase).toEqual(first?.plan.capacity.complex.purchase);
  });

  test('a committed throughput is never drained or deleted', () => {
    const committed = throughput({ units: 20, commitment: 'six_months' });
    const decisions = run({
      configuration: buying,
      cycles: 120,
      see: () => ({ complex: 1, throughputs: [committed] }),
    });
    for (const { plan } of decisions) {
      expect(plan.capacity.complex.deletions).toEqual([]);
      expect(plan.capacity.complex.set).toEqual([{ arn: committed.arn, units: 20, weight: 20 }]);
    }
  });

  test('what somebody else bought is used, never given back', () => {
    const foreign = throughput({ units: 20, boughtFor: undefined });
    const { plan } = lastOf(
      run({
        configuration: buying,
        cycles: 120,
        see: () => ({ complex: 1, throughputs: [foreign] }),
      }),
    );
    expect(plan.capacity.complex.deletions).toEqual([]);
    expect(plan.capacity.complex.inServiceUnits).toBe(20);
  });
});

describe('A-3 an event is a floor, not a ceiling', () => {
  const DURING_RELEASE_MS = Date.parse('2026-06-08T00:30:00+09:00');

  test('an emergency during an event keeps what runs and adds to it', () => {
    const { plan } = decide(
      FRESH_STATE,
      snapshotAt(DURING_RELEASE_MS, {
        tasks: 80,
        inFlight: 4_000,
        waiting: 2_000,
        queueDepth: 900,
        throttles: { complex: 500 },
        throughputs: [throughput({ units: 30 })],
      }),
      buying,
      DURING_RELEASE_MS,
    );
    expect(plan.state).toBe('emergency');
    expect(plan.tasks.floor).toBeGreaterThanOrEqual(90);
    expect(plan.capacity.complex.deletions).toEqual([]);
    expect(plan.capacity.complex.set?.map((it) => it.weight)).toEqual([30]);
  });

  test('one unlucky task with a long queue adds to the event, although the load is small', () => {
    const { plan } = decide(
      FRESH_STATE,
      snapshotAt(DURING_RELEASE_MS, { tasks: 80, inFlight: 1_000, waiting: 250, queueDepth: 250 }),
      shipped,
      DURING_RELEASE_MS,
    );
    expect(plan.tasks.floor).toBe(90);
  });

  test('its floor and its units are asked for before it starts', () => {
    const leadMs = Date.parse('2026-06-07T21:00:10+09:00');
    const { plan } = decide(FRESH_STATE, snapshotAt(leadMs), buying, leadMs);
    expect(plan.state).toBe('event_override');
    expect(plan.tasks.floor).toBe(50);
    expect(plan.capacity.complex.purchase).toMatchObject({ units: 25, cause: 'calendar' });
    expect(plan.prewarm).toMatchObject({ event: 'weekly_shonen_jump', titles: 100 });
  });

  test('overlapping events take the maximum, whichever comes first in the calendar', () => {
    const bothMs = Date.parse('2026-11-30T12:00:00+09:00');
    const { plan } = decide(FRESH_STATE, snapshotAt(bothMs), shipped, bothMs);
    expect(plan.tasks.floor).toBe(50);
    expect(plan.tasks.reason).toContain("event 'black_friday'");
    expect(plan.tasks.reason).toContain('the most of 2 events');
  });
});

describe('A-4 no units is not full', () => {
  test('ten tokens/s at night, on demand, are stable for two minutes and buy nothing', () => {
    const decisions = run({
      configuration: buying,
      cycles: 12,
      see: () => ({ complex: 6, simple: 4, inFlight: 1 }),
    });
    for (const { plan } of decisions) {
      expect(plan.state).toBe('stable');
      expect(plan.tasks.floor).toBe(5);
      expect(plan.capacity.complex.purchase).toBeUndefined();
      expect(plan.figures.models.complex.capacityIs).toBe('on_demand');
    }
  });

  test('a full on-demand quota is full', () => {
    const { plan } = lastOf(
      run({ configuration: buying, cycles: 1, see: () => ({ tasks: 100, complex: 60_000 }) }),
    );
    expect(plan.figures.models.complex.utilisation).toBeGreaterThan(1);
    expect(plan.capacity.complex.purchase).toBeDefined();
  });
});

describe('A-5 scaling in never buys', () => {
  test('one unit each, below every minimum, stays one unit each', () => {
    const own = [throughput(), throughput({ alias: 'simple' })];
    const decisions = run({
      configuration: configure({ provisioned: { enabled: true, windows: [] } }),
      cycles: 60,
      see: () => ({ complex: 10, simple: 10, throughputs: own }),
    });
    for (const { plan } of decisions) {
      expect(plan.capacity.complex.purchase).toBeUndefined();
      expect(plan.capacity.simple.purchase).toBeUndefined();
    }
  });
});

describe('A-6 a gap is not idleness', () => {
  const busy: Seen = { tasks: 60, inFlight: 2_550, complex: 12_000, simple: 8_000 };
  const zero: Seen = { tasks: 60, inFlight: 0, complex: 0, simple: 0, latencyP99Ms: 0 };
  const gone: Seen = {
    tasks: 60,
    inFlight: undefined,
    waiting: undefined,
    queueDepth: undefined,
    latencyP99Ms: undefined,
    complex: undefined,
    simple: undefined,
  };

  test.each([
    ['only zeros', zero],
    ['nothing', gone],
    ['stale readings', { ...busy, inFlight: 0, ageMs: 2 * MINUTE_MS }],
    ['one model missing', { ...busy, inFlight: 10, complex: 10, simple: undefined }],
  ])('sixty tasks stay sixty through five minutes of %s', (_, gap) => {
    const decisions = run({ cycles: 90, see: (cycle) => (cycle < 60 ? busy : gap) });
    expect(decisions.slice(60).map((it) => it.plan.tasks.floor)).toEqual(Array(30).fill(60));
    expect(decisions.flatMap((it) => it.plan.pages).map((it) => it.key)).toContain('telemetry');
  });

  test('zeros from the first cycle on are a gap too', () => {
    const { plan } = lastOf(run({ cycles: 31, see: () => zero }));
    expect(plan.tasks.floor).toBe(60);
    expect(plan.telemetry.problems).toEqual(['every reading is zero at once while 60 tasks run']);
  });

  test('after a gap a whole hold period is watched before anything shrinks', () => {
    const decisions = run({
      cycles: 100,
      see: (cycle, last) => ({ ...(cycle === 40 && gone), tasks: last?.tasks.floor ?? 60 }),
    });
    const floors = decisions.map((it) => it.plan.tasks.floor);
    expect(floors.slice(40, 71).every((floor) => floor === floors[40])).toBe(true);
    expect(floors[71]).toBeLessThan(floors[40] ?? 0);
  });

  test('an idle platform does go to its minimum in the end', () => {
    const decisions = run({
      cycles: 400,
      see: (_, last) => ({ ...zero, tasks: last?.tasks.floor ?? 60, minCapacity: 60 }),
    });
    expect(lastOf(decisions).plan.tasks.floor).toBe(5);
  });
});

describe('A-7 models are judged one by one', () => {
  test('a full complex model beside an idle simple one is not stable', () => {
    const { plan } = lastOf(
      run({
        configuration: buying,
        fromMs: MORNING_MS,
        cycles: 1,
        see: () => ({
          tasks: 60,
          complex: 10_000,
          simple: 0,
          throughputs: [throughput({ units: 10 }), throughput({ alias: 'simple', units: 4 })],
        }),
      }),
    );
    expect(plan.figures.models.complex.utilisation).toBe(1);
    expect(plan.figures.models.simple.utilisation).toBe(0);
    expect(plan.state).toBe('scaling_out');
    expect(plan.capacity.complex.purchase?.units).toBe(3);
    expect(plan.capacity.simple.purchase).toBeUndefined();
  });
});

describe('A-8 predictions are believed within reason', () => {
  /** Five minutes, the last of them from 5,000 to 14,000 tokens/s. */
  const values = Array.from({ length: 31 }, (_, index) =>
    index < 25 ? 5_000 : 5_000 + (index - 24) * 1_500,
  );
  const timesMs = values.map((_, index) => index * CYCLE_MS);
  const bounds = { minimumPoints: 6, clampFactor: 2 };

  test('a ramp of a minute predicts at most twice what was seen', () => {
    const steep = { timesMs: timesMs.slice(24), values: values.slice(24) };
    expect(linearTrend(steep, 300_000)).toBeGreaterThan(50_000);
    expect(predict(linearTrend, steep, 300_000, bounds)).toBe(28_000);
  });

  test('what rose of late asks for no more than another such rise', () => {
    const predicted = predict(recentRises, { timesMs, values }, 60_000, bounds) ?? 0;
    expect(predicted).toBeGreaterThan(12_500);
    expect(predicted).toBeLessThan(14_000 + 9_000);
  });

  test('a step that is over is not prolonged', () => {
    const step = Array.from({ length: 60 }, (_, index) => (index < 30 ? 5_000 : 14_000));
    const times = step.map((_, index) => index * CYCLE_MS);
    expect(predict(recentRises, { timesMs: times, values: step }, 60_000, bounds)).toBe(14_000);
  });

  test('an event without an offset is dropped and told, the others and the decision stand', () => {
    const { events } = shipped.calendar;
    const naive = events
      .slice(0, 1)
      .map((event) => ({ ...event, name: 'naive', start: '2026-06-09T00:00:00' }));
    const configuration = configure({ calendar: { events: [...naive, ...events] } });
    const { plan } = decide(FRESH_STATE, snapshotAt(NIGHT_MS), configuration, NIGHT_MS);
    expect(plan.figures.calendarEntriesDropped).toEqual(['naive']);
    expect(plan.pages.map((it) => it.key)).toContain('calendar:naive');
    expect(plan.tasks.floor).toBe(5);
  });
});

describe('A-9 one owner per variable', () => {
  test('throttles alone add no task', () => {
    const calm = lastOf(run({ cycles: 30, see: () => ({ tasks: 30, minCapacity: 5 }) }));
    const throttled = lastOf(
      run({
        cycles: 30,
        see: () => ({ tasks: 30, minCapacity: 5, throttles: { complex: 200, simple: 50 } }),
      }),
    );
    expect(throttled.plan.tasks.floor).toBe(calm.plan.tasks.floor);
    expect(throttled.plan.state).toBe('emergency');
  });

  test('a queue that waits for tokens, not for slots, adds no task', () => {
    const { plan } = lastOf(
      run({
        cycles: 1,
        see: () => ({
          tasks: 20,
          inFlight: 100,
          waiting: 300,
          queueDepth: 250,
          throttles: { complex: 40 },
        }),
      }),
    );
    expect(plan.tasks.floors.map((it) => it.kind)).not.toContain('emergency');
  });

  test('the desired count is only ever lowered, together with the floor', () => {
    const decisions = run({
      cycles: 120,
      see: (cycle, last) => ({
        tasks: last?.tasks.floor ?? 40,
        inFlight: cycle < 40 ? 1_500 : 100,
      }),
    });
    for (const { plan } of decisions) {
      if (plan.tasks.nudgeDesiredTo === undefined) continue;
      expect(plan.tasks.change).toBe('lower');
      expect(plan.tasks.nudgeDesiredTo).toBeGreaterThanOrEqual(plan.tasks.floor);
    }
  });

  test('the same state and snapshot give the same plan, however often it is asked', () => {
    const once = decide(FRESH_STATE, snapshotAt(NIGHT_MS), shipped, NIGHT_MS);
    expect(decide(FRESH_STATE, snapshotAt(NIGHT_MS), shipped, NIGHT_MS)).toEqual(once);
  });
});

describe('A-10 what a unit carries is configuration', () => {
  test('half as many tokens per unit need twice the units', () => {
    const units = (tokensPerUnit: number) =>
      lastOf(
        run({
          configuration: configure({
            provisioned: {
              enabled: true,
              windows: [],
              maxUnits: { complex: 90 },
              maxDollarsPerHour: 900,
              tokensPerSecondPerUnit: { complex: tokensPerUnit },
            },
          }),
          cycles: 1,
          see: () => ({ complex: 10_000, throughputs: [throughput({ units: 1 })] }),
        }),
      ).plan.capacity.complex.targetUnits;
    expect(units(1_000)).toBe(13);
    expect(units(500)).toBe(26);
  });

  test('output weighs more than input against a quota', () => {
    const utilisation = (input: number, output: number) => {
      const snapshot = snapshotAt(NIGHT_MS, { complex: input + output });
      const reading = (value: number) => ({ value, atMs: NIGHT_MS });
      const models = {
        ...snapshot.models,
        complex: {
          ...snapshot.models.complex,
          inputTokensPerSecond: reading(input),
          outputTokensPerSecond: reading(output),
        },
      };
      const { plan } = decide(FRESH_STATE, { ...snapshot, models }, shipped, NIGHT_MS);
      return plan.figures.models.complex.utilisation ?? 0;
    };
    expect(utilisation(1_000, 9_000)).toBeGreaterThan(utilisation(9_000, 1_000));
  });
});
