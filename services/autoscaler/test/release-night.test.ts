import { closedLoop } from './closed-loop';
import { CYCLE_MS, buying, throughput } from './cycles';

/** Sunday 20:50 to Monday 05:00 in Tokyo: the weekly release, from before its lead to after its end. */
const FROM_MS = Date.parse('2026-06-07T20:50:00+09:00');
const at = (time: string) => Math.round((Date.parse(time) - FROM_MS) / CYCLE_MS);
const LEAD = at('2026-06-07T21:00:00+09:00');
const START = at('2026-06-08T00:00:00+09:00');
const END = at('2026-06-08T04:00:00+09:00');
const CYCLES = at('2026-06-08T05:30:00+09:00');

/** Thousands of tokens/s, by minutes after the release. */
function kiloTokensPerSecond(minutes: number): number {
  if (minutes < 0) return 7;
  const rise = [7, 15, 22, 30, 33, 36];
  return rise[Math.floor(minutes)] ?? (minutes < 30 ? 36 : minutes < 240 ? 20 : 4);
}

const { plans, set } = closedLoop({
  configuration: buying,
  fromMs: FROM_MS,
  cycles: CYCLES,
  initialTasks: 30,
  initialSet: [
    throughput({ units: 15, boughtFor: 'calendar' }),
    throughput({ alias: 'simple', units: 5, boughtFor: 'calendar' }),
  ],
  demandAt: (cycle) => {
    const tokens = 1_000 * kiloTokensPerSecond(((cycle - START) * CYCLE_MS) / 60_000);
    return {
      calls: tokens / 12,
      complexTokensPerSecond: tokens * 0.7,
      simpleTokensPerSecond: tokens * 0.3,
    };
  },
});

const planAtCycle = (cycle: number) => {
  const plan = plans[cycle];
  if (plan === undefined) throw new Error(`no cycle ${cycle}`);
  return plan;
};

test('three hours ahead the floor is the event’s, units are bought and answers prepared', () => {
  const plan = planAtCycle(LEAD);
  expect(planAtCycle(LEAD - 1).tasks.floor).toBe(30);
  expect(plan).toMatchObject({ state: 'event_override', tasks: { floor: 50 } });
  expect(plan.capacity.complex.purchase).toMatchObject({ units: 10, cause: 'calendar' });
  expect(plan.capacity.simple.purchase).toMatchObject({ units: 3, cause: 'calendar' });
  expect(plan.prewarm).toMatchObject({ event: 'weekly_shonen_jump', titles: 100 });
});

test('within minutes the tasks run, within the activation the units do, and somebody is told', () => {
  const told = plans
    .slice(LEAD, LEAD + 30)
    .flatMap((plan) => plan.pages)
    .map((page) => page.title);
  expect(told).toContain('Event capacity ready: weekly_shonen_jump');
  expect(planAtCycle(START - 1).capacity.complex.inServiceUnits).toBe(25);
  expect(planAtCycle(START - 1).capacity.simple.inServiceUnits).toBe(8);
});

test('the crowd takes the floor above the event’s, never below', () => {
  const night = plans.slice(START, END).map((plan) => plan.tasks.floor);
  expect(Math.max(...night)).toBeGreaterThan(65);
  expect(Math.min(...night)).toBeGreaterThanOrEqual(50);
});

test('a full model gets more units within the caps, and answers are cached longer', () => {
  const peak = plans.slice(START + 30, START + 180);
  expect(peak.some((plan) => plan.mitigations.cacheSeconds === 90)).toBe(true);
  expect(Math.max(...plans.map((plan) => plan.capacity.complex.targetUnits))).toBe(30);
});

test('somebody is warned that more came than was prepared, not at every cycle', () => {
  const warned = plans.flatMap((plan, cycle) =>
    plan.pages.some(({ key }) => key === 'event-full') ? [cycle] : [],
  );
  expect(warned[0]).toBeGreaterThanOrEqual(START);
  expect(warned.length).toBeGreaterThan(0);
  expect(warned.length).toBeLessThan(10);
});

test('when the event ends, floor, units and cache return to what the hour asks for', () => {
  const last = planAtCycle(CYCLES - 1);
  expect(last.tasks.returnsTo).toBe(5);
  expect(last.tasks.floor).toBeLessThanOrEqual(10);
  expect(set.units('complex')).toBe(0);
  expect(last.mitigations).toMatchObject({ cacheSeconds: 30, active: [] });
  expect(last.state).toBe('stable');
});
