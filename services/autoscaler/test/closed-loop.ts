import type { PlatformConfiguration } from '@matsuri/contract';
import { FRESH_STATE, decide, type AutoscalerState, type Plan, type Throughput } from '../src/core';
import { boughtSet, type BoughtSet } from './bought-set';
import { CYCLE_MS, snapshotAt } from './cycles';

/** What is asked of the service in a cycle. */
interface Demand {
  /** Calls that would be in flight if nobody waited. */
  readonly calls: number;
  readonly complexTokensPerSecond: number;
  readonly simpleTokensPerSecond: number;
}

export interface ClosedLoop {
  readonly configuration: PlatformConfiguration;
  readonly fromMs: number;
  readonly cycles: number;
  readonly initialTasks: number;
  readonly initialSet?: readonly Throughput[];
  readonly demandAt: (cycle: number) => Demand;
}

export interface Lived {
  readonly plans: readonly Plan[];
  readonly set: BoughtSet;
}

/** A service that follows its floor: tasks take their time to start, callers without a slot wait. */
export function closedLoop(loop: ClosedLoop): Lived {
  const { configuration, fromMs, cycles, initialTasks, demandAt } = loop;
  const { slotsPerTask } = configuration.gateway;
  const startCycles = Math.ceil((configuration.orchestrator.taskStartSeconds * 1_000) / CYCLE_MS);
  const set = boughtSet(loop.initialSet, configuration.provisioned.activationSeconds * 1_000);
  const desired = [initialTasks];
  const plans: Plan[] = [];
  let state: AutoscalerState = FRESH_STATE;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const nowMs = fromMs + cycle * CYCLE_MS;
    const ordered = desired.at(-1) ?? initialTasks;
    const running = Math.min(...desired.slice(-1 - startCycles));
    const demand = demandAt(cycle);
    const inFlight = Math.min(demand.calls, running * slotsPerTask);
    const waiting = demand.calls - inFlight;
    const snapshot = snapshotAt(nowMs, {
      tasks: running,
      desired: ordered,
      minCapacity: plans.at(-1)?.tasks.floor ?? initialTasks,
      inFlight,
      waiting,
      queueDepth: Math.min(250, waiting / Math.max(1, running)),
      complex: demand.complexTokensPerSecond,
      simple: demand.simpleTokensPerSecond,
      throughputs: set.after(plans.at(-1), nowMs),
    });
    const decision = decide(state, snapshot, configuration, nowMs);
    state = decision.state;
    plans.push(decision.plan);
    const { floor, nudgeDesiredTo } = decision.plan.tasks;
    desired.push(Math.max(floor, nudgeDesiredTo ?? ordered));
  }
  return { plans, set };
}
