import { FRESH_STATE, decide, type AutoscalerState, type Plan } from '@matsuri/autoscaler/core';
import { CHAT_ALIASES, plannedCapacityAt, type PlatformConfiguration } from '@matsuri/contract';
import { nativeScaling } from '../native/native-scaling';
import type { TaskSize } from '../native/readings';
import { callsPerSecond } from '../models/model-demand';
import type { Passage } from '../models/model-door';
import { ModelSide, type Passages } from '../models/model-side';
import { createFleet, type Fleet } from '../platform/fleet';
import type { TaskPolicy } from '../platform/simulate';
import type { StartUp } from '../platform/start-up';
import { burstyCount, seededRandom, type Random } from '../random';
import { serviceSeconds } from '../traffic/request-sizes';
import { yearTraffic, type YearTraffic } from '../traffic/year-traffic';
import { FluidQueue, type Flow } from './fluid-queue';
import { snapshotOf } from './year-snapshot';
import { SLOT_SECONDS, StepHistory } from './step-history';
import { YearLedger, type YearOutcome } from './year-ledger';

const DAY_SECONDS = 86_400;
/** Ordinary time passes by the minute, the beginning of an event by the autoscaler's cycle. */
const COARSE_SECONDS = 60;
const FINE_BEFORE_MS = 60_000;
const FINE_AFTER_MS = 20 * 60_000;
const CV = 1.3;

export interface YearOptions {
  readonly configuration: PlatformConfiguration;
  readonly fromMs: number;
  readonly days: number;
  readonly startUp: StartUp;
  readonly seed: number;
  readonly progress?: (day: number) => void;
}

/** Lives through the coming calendar with the shipped decisions, the native policies and the models' quotas. */
export function liveYear(options: YearOptions): YearOutcome {
  return new Year(options).live();
}

class Year {
  private readonly configuration: PlatformConfiguration;
  private readonly fromMs: number;
  private readonly traffic: YearTraffic;
  private readonly random: Random;
  private readonly models: ModelSide;
  private readonly fleet: Fleet;
  private readonly native: TaskPolicy;
  private readonly queue = new FluidQueue();
  private readonly history = new StepHistory();
  private readonly ledger: YearLedger;
  private state: AutoscalerState = FRESH_STATE;

  constructor(private readonly options: YearOptions) {
    const { configuration, fromMs, days, seed } = options;
    this.configuration = configuration;
    this.fromMs = fromMs;
    this.traffic = yearTraffic(configuration, fromMs, fromMs + days * DAY_SECONDS * 1_000);
    this.random = seededRandom(seed);
    this.models = new ModelSide(configuration, { limited: true });
    this.fleet = firstFleet(options);
    this.native = nativeScaling(
      configuration.scaling,
      taskSize(configuration, this.traffic, fromMs),
    );
    this.ledger = new YearLedger(configuration, fromMs);
  }

  live(): YearOutcome {
    const { days, progress } = this.options;
    const isFine = fineTimes(this.traffic.occurrences.map((it) => it.startMs));
    let told = -1;
    for (let second = 0; second < days * DAY_SECONDS;) {
      const atMs = this.fromMs + second * 1_000;
      const seconds = isFine(atMs) ? SLOT_SECONDS : COARSE_SECONDS;
      this.step(second, seconds, atMs);
      second += seconds;
      const day = Math.floor(second / DAY_SECONDS);
      if (day !== told) progress?.(day);
      told = day;
    }
    return this.ledger.outcome(days, this.fleet.operations);
  }

  private step(second: number, seconds: number, atMs: number): void {
    for (let at = second; at < second + seconds; at += 1) this.fleet.wake(at);
    const asked = this.traffic.at(atMs);
    const expected = callsPerSecond(asked.byAlias) * seconds;
    const luck = burstyCount(this.random, expected, CV) / Math.max(1e-9, expected);
    const passages = this.models.ask(asked.byAlias);
    const admitted = CHAT_ALIASES.map((alias) => load(passages[alias], luck));
    const calls = admitted.reduce((sum, it) => sum + it.callsPerSecond, 0);
    const busy = admitted.reduce((sum, it) => sum + it.slots, 0);
    const slots = this.fleet.running * this.configuration.gateway.slotsPerTask;
    const flow = this.queue.step(calls * seconds, calls === 0 ? 0 : busy / calls, slots, seconds);
    const neededTasks = busy / this.configuration.gateway.slotsPerTask;
    const { fleet } = this;
    const { units } = this.models;
    this.ledger.book({ asked, passages, flow, neededTasks, fleet, units, atMs, seconds, luck });
    this.history.record(second, seconds, {
      arrivals: calls,
      inFlight: flow.inFlight,
      waiting: flow.waiting,
      running: this.fleet.running,
      longestWaitSeconds: flow.waitSeconds,
    });
    this.scale(second, seconds, { passages, flow, luck });
  }

  private scale(second: number, seconds: number, seen: Seen): void {
    const now = second + seconds;
    for (let at = second + SLOT_SECONDS; at <= now; at += SLOT_SECONDS) {
      this.native.act(at, this.history, this.fleet);
    }
    const nowMs = this.fromMs + now * 1_000;
    const snapshot = snapshotOf({
      ...seen,
      fleet: this.fleet,
      throughputs: this.models.listed,
      seconds,
      nowMs,
    });
    const { state, plan } = decide(this.state, snapshot, this.configuration, nowMs);
    this.state = state;
    this.apply(plan, now, nowMs);
  }

  private apply(plan: Plan, now: number, nowMs: number): void {
    this.fleet.setFloor(now, plan.tasks.floor);
    if (plan.tasks.nudgeDesiredTo !== undefined) this.fleet.order(now, plan.tasks.nudgeDesiredTo);
    this.models.apply(plan, nowMs);
  }
}

function firstFleet({ configuration, fromMs, startUp }: YearOptions): Fleet {
  const { minTasks, maxTasks } = configuration.scaling;
  const running = plannedCapacityAt(configuration, fromMs).minTasks;
  return createFleet({ minTasks, maxTasks, startUp }, running);
}

function taskSize(
  { gateway }: PlatformConfiguration,
  traffic: YearTraffic,
  atMs: number,
): TaskSize {
  const { byAlias } = traffic.at(atMs);
  const loads = CHAT_ALIASES.map((alias) =>
    load({ asked: byAlias[alias], throttledShare: 0, provisionedShare: 0 }, 1),
  );
  const calls = loads.reduce((sum, it) => sum + it.callsPerSecond, 0);
  const slots = loads.reduce((sum, it) => sum + it.slots, 0);
  return {
    slotsPerTask: gateway.slotsPerTask,
    configuredSlotsPerTask: gateway.slotsPerTask,
    meanBusySeconds: calls === 0 ? 1 : slots / calls,
  };
}

interface Seen {
  readonly passages: Passages;
  readonly flow: Flow;
  readonly luck: number;
}

/** Calls that were let through, and the slots they fill if nobody waits. */
function load(passage: Passage, luck: number) {
  const { requestsPerMinute, tokensPerSecond } = passage.asked;
  const through = (1 - passage.throttledShare) * luck;
  const callsPerSecond = (requestsPerMinute / 60) * through;
  if (callsPerSecond === 0) return { callsPerSecond, slots: 0 };
  // Four parts in, one part out: the mean size says no more than how many tokens there are.
  const tokens = (tokensPerSecond * through) / callsPerSecond;
  const seconds = serviceSeconds({ inputTokens: tokens * 0.8, outputTokens: tokens * 0.2 });
  return { callsPerSecond, slots: callsPerSecond * seconds };
}

/** Whether an event begins about now; asked in the order of time. */
function fineTimes(starts: readonly number[]): (atMs: number) => boolean {
  let next = 0;
  return (atMs) => {
    while ((starts[next] ?? Infinity) + FINE_AFTER_MS <= atMs) next += 1;
    return (starts[next] ?? Infinity) - FINE_BEFORE_MS <= atMs;
  };
}
