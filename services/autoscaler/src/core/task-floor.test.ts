import { FRESH_STATE, decide, type Decision } from './index';
import { CYCLE_MS, NIGHT_MS, lastOf, run, shipped, snapshotAt, type Seen } from '../../test/cycles';

const floors = (decisions: readonly Decision[]) => decisions.map((it) => it.plan.tasks.floor);

test('it begins with the floor it finds', () => {
  const { plan } = lastOf(run({ cycles: 1, see: () => ({ tasks: 40, minCapacity: 33 }) }));
  expect(plan.tasks).toMatchObject({ floor: 33, change: 'hold' });
});

test('what is asked for beyond the maximum is cut there, and a person is told', () => {
  const { plan } = lastOf(run({ cycles: 1, see: () => ({ tasks: 90, inFlight: 4_400 }) }));
  expect(plan.tasks.floor).toBe(100);
  expect(plan.tasks.reason).toContain('capped at 100 tasks');
  expect(plan.pages.map((page) => page.key)).toContain('task-ceiling');
});

test('a raise by load is at least two tasks', () => {
  const decisions = run({ cycles: 2, see: (cycle) => ({ tasks: 5, inFlight: 200 + cycle * 60 }) });
  expect(floors(decisions)).toEqual([5, 7]);
});

test('a small raise waits for the cooldown, a large one does not', () => {
  const load = [850, 850, 900, 900, 900, 900, 900, 900, 1_600];
  const decisions = run({
    cycles: load.length,
    see: (cycle, last) => ({ tasks: last?.tasks.floor ?? 18, inFlight: load[cycle] }),
  });
  expect(floors(decisions).slice(0, 8)).toEqual([20, 20, 20, 20, 20, 20, 22, 22]);
  expect(floors(decisions)[8]).toBeGreaterThanOrEqual(32);
});

test('the last minute is carried with room to spare, this moment without', () => {
  const decisions = run({
    cycles: 12,
    see: (cycle) => ({ tasks: 60, minCapacity: 5, inFlight: cycle === 6 ? 500 : 400 }),
  });
  expect(decisions[6]?.plan.tasks.floors.find((it) => it.kind === 'reactive')?.tasks).toBe(10);
  expect(decisions[5]?.plan.tasks.floors.find((it) => it.kind === 'reactive')?.tasks).toBe(10);
});

test('a crowd that waits brings as many again', () => {
  const see = (cycle: number): Seen =>
    cycle < 10 ? { tasks: 8, inFlight: 300 } : { tasks: 8, inFlight: 400, waiting: 300 };
  const { plan } = lastOf(run({ cycles: 11, see }));
  expect(plan.tasks.floors.find((it) => it.kind === 'reactive')?.tasks).toBe(
    Math.ceil((700 + 400) / (50 * 0.95)),
  );
});

test.each<readonly [string, Seen]>([
  ['a queue over fifty', { queueDepth: 60 }],
  ['a slow p99 while requests wait', { waiting: 5, latencyP99Ms: 4_500 }],
])('%s asks for a third more', (_, strain) => {
  const quiet = lastOf(run({ cycles: 1, see: () => ({ tasks: 30, inFlight: 850 }) }));
  const hurt = lastOf(run({ cycles: 1, see: () => ({ tasks: 30, inFlight: 850, ...strain }) }));
  expect(quiet.plan.tasks.wanted).toBe(20);
  expect(hurt.plan.tasks.wanted).toBeGreaterThanOrEqual(26);
});

test('slow answers with nobody waiting are long answers and ask for nothing', () => {
  const { plan } = lastOf(
    run({ cycles: 1, see: () => ({ tasks: 30, inFlight: 850, latencyP99Ms: 9_000 }) }),
  );
  expect(plan.tasks.wanted).toBe(20);
});

test('a pool that fills up in some task is an early want, while its word is fresh', () => {
  const wanted = (ageMs: number) => {
    const signal = { pool: 'bedrock', utilisationPercent: 91, atMs: NIGHT_MS - ageMs };
    const snapshot = { ...snapshotAt(NIGHT_MS, { inFlight: 850 }), preScaleSignals: [signal] };
    return decide(FRESH_STATE, snapshot, shipped, NIGHT_MS).plan.tasks.wanted;
  };
  expect([wanted(0), wanted(120_000)]).toEqual([26, 20]);
});

describe('tasks that native policies added', () => {
  test('are kept for the hold, then given back in steps', () => {
    let tasks = 5;
    const decisions = run({
      cycles: 80,
      see: (cycle, last) => {
        tasks = cycle === 40 ? 30 : (last?.tasks.nudgeDesiredTo ?? tasks);
        return { tasks, minCapacity: 5 };
      },
    });
    const nudges = decisions.flatMap(({ plan }, cycle) =>
      plan.tasks.nudgeDesiredTo === undefined ? [] : [{ cycle, to: plan.tasks.nudgeDesiredTo }],
    );
    expect(nudges).toEqual([
      { cycle: 70, to: 27 },
      { cycle: 73, to: 25 },
      { cycle: 76, to: 23 },
      { cycle: 79, to: 21 },
    ]);
  });
});

describe('the emergency of a long queue', () => {
  const queue: Seen = { tasks: 20, inFlight: 700, waiting: 50, queueDepth: 210 };

  test('adds ten to what there is, once', () => {
    const decisions = run({ cycles: 20, see: () => queue });
    const asked = decisions.map(
      (it) => it.plan.tasks.floors.find((floor) => floor.kind === 'emergency')?.tasks,
    );
    expect(new Set(asked)).toEqual(new Set([30]));
    expect(lastOf(decisions).plan.state).toBe('emergency');
  });

  test('adds ten more when the ten run, the cooldown is over and the queue is still there', () => {
    const decisions = run({
      cycles: 8,
      see: (cycle) => (cycle < 5 ? queue : { ...queue, tasks: 30 }),
    });
    const asked = decisions.map(
      (it) => it.plan.tasks.floors.find((floor) => floor.kind === 'emergency')?.tasks,
    );
    expect(asked).toEqual([30, 30, 30, 30, 30, 30, 40, 40]);
  });
});

test('the floor carries its own end: what the calendar asks for, minutes ahead', () => {
  const { plan } = lastOf(run({ cycles: 1, see: () => ({ tasks: 20, inFlight: 1_000 }) }));
  expect(plan.tasks.returnsTo).toBe(5);
  expect(plan.tasks.expiresAtMs).toBe(NIGHT_MS + 300_000);
  expect(CYCLE_MS * 3).toBeLessThan(300_000);
});

describe('a freeze', () => {
  test('of scaling out keeps the floor whatever the load asks for', () => {
    const { plan } = lastOf(
      run({ cycles: 1, see: () => ({ tasks: 10, inFlight: 2_000, frozen: 'out' }) }),
    );
    expect(plan.tasks).toMatchObject({ floor: 10, change: 'hold', wanted: 48 });
    expect(plan.tasks.reason).toContain('scaling out is frozen');
  });

  test('of scaling in keeps it however quiet it is', () => {
    const decisions = run({ cycles: 80, see: () => ({ tasks: 40, frozen: 'in' }) });
    expect(new Set(floors(decisions))).toEqual(new Set([40]));
    expect(lastOf(decisions).plan.tasks.reason).toContain('scaling in is frozen');
  });
});
