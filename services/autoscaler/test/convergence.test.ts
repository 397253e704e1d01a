import { configure } from '@matsuri/contract';
import fc from 'fast-check';
import { closedLoop } from './closed-loop';
import { CYCLE_MS, MORNING_MS, NIGHT_MS, buying } from './cycles';
import { TRACES_PER_CLAUSE, must } from './traces';

const CYCLES_PER_MINUTE = 6;
const minutes = (count: number) => count * CYCLES_PER_MINUTE;

/** No schedule, so that a long trace meets no other change than its own. */
const unscheduled = configure({ scaling: { schedule: [] }, calendar: { weekly: [] } });

const load = (calls: number) => ({
  calls,
  complexTokensPerSecond: calls * 4,
  simpleTokensPerSecond: calls * 4,
});

describe('after a step', () => {
  test('the floor comes to rest, carries the load, and keeps no more than it needs', () => {
    const calls = fc.integer({ min: 0, max: 3_500 });
    const tasks = fc.integer({ min: 5, max: 100 });
    fc.assert(
      fc.property(calls, calls, tasks, (before, after, initialTasks) => {
        const { plans } = closedLoop({
          configuration: unscheduled,
          fromMs: NIGHT_MS,
          cycles: minutes(75),
          initialTasks,
          demandAt: (cycle) => load(cycle < minutes(15) ? before : after),
        });
        const floors = plans.slice(-minutes(10)).map((plan) => plan.tasks.floor);
        const rest = floors.at(-1) ?? 0;
        const needed = Math.max(5, Math.ceil(after / 50));
        const comfortable = Math.max(5, Math.ceil(after / (50 * 0.85)));
        must(new Set(floors).size === 1, `rests, not ${[...new Set(floors)].join(' ')}`);
        must(rest >= needed, `${rest} tasks carry what needs ${needed}`);
        must(rest <= comfortable + 2, `${rest} tasks for what ${comfortable} carry in comfort`);
      }),
      { numRuns: Math.ceil(TRACES_PER_CLAUSE / 2) },
    );
  });

  test('it goes up, then down, and turns no more', () => {
    const { plans } = closedLoop({
      configuration: unscheduled,
      fromMs: NIGHT_MS,
      cycles: minutes(90),
      initialTasks: 5,
      demandAt: (cycle) => load(cycle < minutes(5) || cycle > minutes(35) ? 100 : 2_000),
    });
    const moves = plans
      .slice(minutes(5))
      .map((plan) => plan.tasks.change)
      .filter((change) => change !== 'hold');
    const turns = moves.filter((move, index) => index > 0 && move !== moves[index - 1]);
    expect(turns).toEqual(['lower']);
    expect(plans.at(-1)?.tasks.floor).toBe(5);
    expect(plans.at(-1)?.state).toBe('stable');
  });

  test('scaling in begins after the hold and takes a tenth every half minute', () => {
    const { plans } = closedLoop({
      configuration: unscheduled,
      fromMs: NIGHT_MS,
      cycles: minutes(20),
      initialTasks: 50,
      demandAt: (cycle) => load(cycle < minutes(10) ? 2_100 : 100),
    });
    const lowered = plans.flatMap((plan, cycle) =>
      plan.tasks.change === 'lower' ? [{ cycle, floor: plan.tasks.floor }] : [],
    );
    const [first, second, third] = lowered;
    const stepMs = ((second?.cycle ?? 0) - (first?.cycle ?? 0)) * CYCLE_MS;
    expect(first?.cycle).toBeGreaterThanOrEqual(minutes(15) - 1);
    expect([first?.floor, second?.floor, third?.floor]).toEqual([45, 41, 37]);
    expect(stepMs).toBe(30_000);
  });
});

test('a steady demand for units is bought once and then left alone', () => {
  const { plans, set } = closedLoop({
    configuration: buying,
    fromMs: MORNING_MS,
    cycles: minutes(110),
    initialTasks: 60,
    demandAt: () => ({ calls: 1_000, complexTokensPerSecond: 9_000, simpleTokensPerSecond: 2_000 }),
  });
  const complex = set.purchases.filter((it) => it.alias === 'complex');
  expect(complex.length).toBeLessThanOrEqual(2);
  expect(set.units('complex')).toBe(12);
  expect(plans.at(-1)?.figures.models.complex.utilisation).toBeCloseTo(0.75);
});
