import { CHAT_ALIASES, type ChatAlias, type PlatformConfiguration } from '@matsuri/contract';
import fc from 'fast-check';
import { decide, explain, type Snapshot } from '../src/core';
import { snapshotAt } from './cycles';
import { TRACES_PER_CLAUSE, forEveryCycle, live, must, trace, type TracedCycle } from './traces';

function floorBefore({ before, snapshot, configuration }: TracedCycle): number {
  const known = before.tasks.floor ?? snapshot.tasks?.minCapacity ?? 0;
  return Math.min(configuration.scaling.maxTasks, known);
}

function newlyDrained({ before, decision }: TracedCycle, alias: ChatAlias): number {
  const known = before.capacity[alias].drainingSinceMs;
  const drained = Object.keys(decision.state.capacity[alias].drainingSinceMs);
  return drained.filter((arn) => !Object.hasOwn(known, arn)).length;
}

function buysNow({ before, decision }: TracedCycle, alias: ChatAlias): boolean {
  return decision.state.capacity[alias].purchasedAtMs !== before.capacity[alias].purchasedAtMs;
}

function listedUnits({ throughputs = [] }: Snapshot, alias: ChatAlias): number {
  return throughputs.filter((it) => it.alias === alias).reduce((sum, it) => sum + it.units, 0);
}

describe('scaling in never raises', () => {
  test('a lowered floor is lower, by at most a step, and not below the calendar', () => {
    forEveryCycle((cycle) => {
      const { decision, before, snapshot, configuration, nowMs } = cycle;
      const { tasks } = decision.plan;
      if (tasks.change !== 'lower') return;
      const { stepPercent, stepSeconds, minimumStepTasks } = configuration.autoscaler.scaleIn;
      const had = floorBefore(cycle);
      const have = Math.max(had, snapshot.tasks?.desired ?? 0);
      const next = tasks.nudgeDesiredTo ?? tasks.floor;
      must(tasks.floor <= had, 'the floor does not rise');
      must(next < have, 'something shrinks');
      must(have - next <= Math.max(minimumStepTasks, (have * stepPercent) / 100), 'one step');
      must(tasks.floor >= Math.min(had, tasks.returnsTo), 'the calendar is kept');
      const sinceMs = nowMs - (before.tasks.loweredAtMs ?? -Infinity);
      must(sinceMs >= stepSeconds * 1_000, 'steps are apart');
    });
  });

  test('no cycle drains units and buys some of the same model', () => {
    forEveryCycle((cycle) => {
      for (const alias of CHAT_ALIASES) {
        must(!(newlyDrained(cycle, alias) > 0 && buysNow(cycle, alias)), 'one direction');
      }
    });
  });

  test('no want of the hold period is undercut', () => {
    fc.assert(
      fc.property(trace, (one) => {
        const wants: { atMs: number; tasks: number }[] = [];
        live(one, ({ decision: { plan }, nowMs, configuration }) => {
          wants.push({ atMs: nowMs, tasks: plan.tasks.wanted });
          if (plan.tasks.change !== 'lower') return;
          const sinceMs = nowMs - configuration.autoscaler.scaleIn.holdSeconds * 1_000;
          const recent = wants.filter((it) => it.atMs > sinceMs).map((it) => it.tasks);
          const next = plan.tasks.nudgeDesiredTo ?? plan.tasks.floor;
          must(next >= Math.max(...recent), 'recent wants are kept');
        });
      }),
      { numRuns: TRACES_PER_CLAUSE },
    );
  });
});

describe('nothing exceeds its maximum or its budget', () => {
  test('the floor stays within the limits, whatever is seen', () => {
    forEveryCycle(({ decision, configuration }) => {
      const { floor, returnsTo } = decision.plan.tasks;
      must(floor <= configuration.scaling.maxTasks, 'floor within the maximum');
      must(returnsTo <= configuration.scaling.maxTasks, 'decay within the maximum');
      must(Number.isInteger(floor) && floor >= 0, 'floor is a count');
    });
  });

  test('units listed, ordered and being bought stay within units and dollars', () => {
    forEveryCycle(({ decision, snapshot, configuration }) => {
      const { maxUnits, maxDollarsPerHour, dollarsPerUnitHour, enabled } =
        configuration.provisioned;
      const bought = (alias: ChatAlias) => decision.plan.capacity[alias].purchase?.units ?? 0;
      const buying = CHAT_ALIASES.filter((alias) => bought(alias) > 0);
      if (buying.length === 0) return;
      const billed = (alias: ChatAlias) => listedUnits(snapshot, alias) + bought(alias);
      const dollars = CHAT_ALIASES.reduce(
        (sum, alias) => sum + billed(alias) * dollarsPerUnitHour[alias],
        0,
      );
      must(enabled, 'only bought where allowed');
      must(dollars <= maxDollarsPerHour, 'within the budget');
      for (const alias of buying) must(billed(alias) <= maxUnits[alias], 'within the cap');
    });
  });
});

describe('stale or partial telemetry holds', () => {
  test('with anything missing, nothing is lowered, drained or deleted', () => {
    forEveryCycle((cycle) => {
      const { decision, configuration } = cycle;
      const { plan } = decision;
      if (plan.telemetry.complete) return;
      must(plan.tasks.change !== 'lower', 'no task less');
      if (!configuration.provisioned.enabled) return;
      for (const alias of CHAT_ALIASES) {
        must(plan.capacity[alias].deletions.length === 0, 'nothing is deleted');
        must(newlyDrained(cycle, alias) === 0, 'nothing is drained');
      }
    });
  });

  test('with nothing fresh at all, only the calendar moves the floor, and only upwards', () => {
    forEveryCycle((cycle) => {
      const { before, snapshot, configuration, nowMs } = cycle;
      const { tasks, throughputs } = snapshot;
      const stale = snapshotAt(nowMs, { ageMs: 3_600_000 });
      const decision = decide(before, { ...stale, tasks, throughputs }, configuration, nowMs);
      const { plan, state } = decision;
      must(
        plan.tasks.floor === Math.max(floorBefore(cycle), plan.tasks.returnsTo),
        'only the calendar counts',
      );
      for (const lane of ['complex', 'simple', 'queue'] as const) {
        must(state.lanes[lane] === before.lanes[lane], 'mitigations stay as they are');
      }
      for (const alias of CHAT_ALIASES) {
        const bought = buysNow({ ...cycle, decision }, alias);
        must(
          !bought || plan.capacity[alias].purchase?.cause === 'calendar',
          'only the calendar buys',
        );
      }
    });
  });
});

describe('an event never takes away what an emergency asked for', () => {
  test('with the calendar the floor is never below the floor without it', () => {
    forEveryCycle(({ before, snapshot, configuration, nowMs, decision }) => {
      const { plan } = decide(before, snapshot, withoutEvents(configuration), nowMs);
      must(decision.plan.tasks.floor >= plan.tasks.floor, 'events only add');
      must(
        plan.state !== 'emergency' || decision.plan.state === 'emergency',
        'an emergency is reported as one',
      );
    });
  });

  test('an emergency never leaves fewer tasks than there were', () => {
    forEveryCycle((cycle) => {
      const { floors, floor } = cycle.decision.plan.tasks;
      const emergency = floors.some((it) => it.kind === 'emergency');
      must(!emergency || floor >= floorBefore(cycle), 'nothing is taken away');
    });
  });
});

test('no model is bought for twice within the time a purchase takes to arrive', () => {
  fc.assert(
    fc.property(trace, (one) => {
      let latencyMs = 0;
      const { purchases } = live(one, ({ configuration }) => {
        latencyMs = configuration.provisioned.activationSeconds * 1_000;
      });
      for (const alias of CHAT_ALIASES) {
        const times = purchases.filter((it) => it.alias === alias).map((it) => it.atMs);
        const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
        must(
          gaps.every((gap) => gap >= latencyMs),
          'one purchase per latency',
        );
      }
    }),
    { numRuns: TRACES_PER_CLAUSE },
  );
});

describe('a freeze stops its direction', () => {
  test('frozen out, no floor rises and nothing is bought', () => {
    forEveryCycle((cycle) => {
      const { plan } = cycle.decision;
      if (!cycle.snapshot.freeze.scaleOut) return;
      must(plan.tasks.floor <= floorBefore(cycle), 'no rise');
      for (const alias of CHAT_ALIASES) {
        must(plan.capacity[alias].purchase === undefined, 'no purchase');
      }
    });
  });

  test('frozen in, no floor falls and nothing is given back', () => {
    forEveryCycle((cycle) => {
      const { plan } = cycle.decision;
      if (!cycle.snapshot.freeze.scaleIn) return;
      must(plan.tasks.floor >= floorBefore(cycle), 'no fall');
      must(plan.tasks.nudgeDesiredTo === undefined, 'no nudge');
      for (const alias of CHAT_ALIASES) {
        must(plan.capacity[alias].deletions.length === 0, 'nothing is deleted');
        must(newlyDrained(cycle, alias) === 0, 'nothing is drained');
      }
    });
  });
});

test('every part of a plan has a reason, and no page comes twice within its period', () => {
  const unreadable = /NaN|undefined|Infinity|\[object/;
  fc.assert(
    fc.property(trace, (one) => {
      const paged = new Map<string, number>();
      live(one, ({ decision: { plan, state }, nowMs, configuration }) => {
        const periodMs = configuration.autoscaler.pageDeduplicationSeconds * 1_000;
        for (const { key } of plan.pages) {
          must(nowMs - (paged.get(key) ?? -Infinity) >= periodMs, 'no page twice');
          paged.set(key, nowMs);
        }
        const parts = [plan, plan.tasks, plan.capacity.complex, plan.capacity.simple];
        for (const { reason } of [...parts, plan.mitigations, ...plan.tasks.floors]) {
          must(reason.length > 0 && !unreadable.test(reason), `reason '${reason}'`);
        }
        must(!unreadable.test(explain(state, plan)), 'the explanation can be read');
      });
    }),
    { numRuns: TRACES_PER_CLAUSE },
  );
});

const eventless = new WeakMap<PlatformConfiguration, PlatformConfiguration>();

function withoutEvents(configuration: PlatformConfiguration): PlatformConfiguration {
  const known = eventless.get(configuration);
  if (known !== undefined) return known;
  const calendar = { ...configuration.calendar, events: [], weekly: [] };
  const made = { ...configuration, calendar };
  eventless.set(configuration, made);
  return made;
}
