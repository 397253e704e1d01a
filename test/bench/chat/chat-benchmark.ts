import { configure, METRICS } from '@matsuri/contract';
import { startReport, type Figures, type Report } from '@matsuri/telemetry';

import type { Benchmark, BenchmarkOptions } from '../benchmark';
import type { Closers } from '../gateway/cast/cast';
import { leaveServerCore } from '../gateway/cast/cores';
import { openWorkshop } from '../gateway/cast/workshop';
import { seededRandom } from '../gateway/load/seeded-random';
import { residentMegabytes } from '../gateway/measure/process-usage';
import { percentile } from '../gateway/measure/statistics';
import { startChatCast, type ChatCast } from './cast';
import { Crowd } from './crowd';
import { findCapacity, measureStep, sortedTimes, type GoodputStep } from './goodput';
import {
  DELTA_MS,
  DELTAS,
  FIRST_TOKEN_MS,
  FULL,
  INTENT_MS,
  QUICK,
  REFUSAL_MS,
  RETRIEVAL_MS,
} from './plan';
import type { ChatPlan } from './plan';
import { readServerFigures } from './server-figures';

/** Ten thousand open sessions on one orchestrator, and what becomes of it when ten times too much is asked. */
export const chatBenchmark: Benchmark = {
  name: 'chat',
  summary: 'overhead, memory and goodput of one orchestrator with 10,000 open sessions',
  async run(options) {
    leaveServerCore();
    const report = startReport({ command: 'bench', name: nameOf(options), seed: options.seed });
    const workshop = openWorkshop();
    const closers: Closers = [() => workshop.remove()];
    try {
      const cast = await startChatCast(workshop, closers);
      const figures = await measure(cast, options, report);
      for (const line of promisesMissed(figures)) report.note(`missed: ${line}`);
      report.write(figures);
    } finally {
      for (const close of closers.toReversed()) await close();
    }
  },
};

/** What is promised of these figures, and was not reached in this run on this machine. */
function promisesMissed(figures: Figures): readonly string[] {
  const { overheadP95Ms, fanoutP95Ms, endToEndMs } = configure().answering;
  const value = (key: string): number => Number(figures[key]);
  const most = (key: string, limit: number): string[] =>
    value(key) <= limit ? [] : [`${key} is ${round(value(key))}, not at most ${limit}`];
  const least = (key: string, limit: number): string[] =>
    value(key) >= limit ? [] : [`${key} is ${round(value(key))}, not at least ${limit}`];
  return [
    ...most('overhead_p95_ms', overheadP95Ms),
    ...most('fanout_parallel_p95_ms', fanoutP95Ms),
    ...most('e2e_p95_ms', endToEndMs),
    ...most('exhaustion_rate', 0),
    ...most('refused', 0),
    ...most('refusal_p95_ms_at_10x', REFUSAL_MS),
    ...least('goodput_at_10x_over_peak', GOODPUT_KEPT),
  ];
}

function nameOf({ quick }: BenchmarkOptions): string {
  return quick ? 'chat-quick' : 'chat';
}

async function measure(
  { server, apiToken }: ChatCast,
  { quick, seed }: BenchmarkOptions,
  report: Report,
): Promise<Figures> {
  const plan = quick ? QUICK : FULL;
  const crowd = new Crowd(seededRandom(seed));
  const emptyMegabytes = residentMegabytes(server.pid);
  await crowd.open(server.origin, apiToken, plan.sessions, (count) => {
    if (count % 500 === 0) report.progress(count, plan.sessions, 'opening sessions');
  });
  const kilobytesPerSession =
    ((residentMegabytes(server.pid) - emptyMegabytes) * 1_024) / plan.sessions;
  const steady = await measureSteady(crowd, () => server.output(), plan, report);
  const curve = await drawCurve(crowd, plan, report);
  crowd.close();
  return { sessions: plan.sessions, rss_kb_per_session: kilobytesPerSession, ...steady, ...curve };
}

/** The time no orchestrator can do without: the longest branch, the retrieval, the model. */
const CRITICAL_PATH_MS = INTENT_MS + RETRIEVAL_MS + FIRST_TOKEN_MS + (DELTAS - 1) * DELTA_MS;
const METRIC_PERIOD_MS = 10_000;
/** At ten times what it can do, a task still does this part of its best. */
const GOODPUT_KEPT = 0.9;

async function measureSteady(
  crowd: Crowd,
  output: () => string,
  plan: ChatPlan,
  report: Report,
): Promise<Figures> {
  const rate = plan.messagesPerSecond;
  report.note(`${plan.sessions} sessions are open; ${rate.toFixed(1)} messages/s begin`);
  await crowd.talk(rate, plan.warmUpSeconds, plan.activeSessions);
  const sinceMs = Date.now() - METRIC_PERIOD_MS / 2;
  const outcomes = await crowd.talk(rate, plan.seconds, plan.activeSessions);
  // The last period is published when it is over.
  await new Promise((resolve) => setTimeout(resolve, METRIC_PERIOD_MS + 1_000));
  const figures = readServerFigures(output(), sinceMs, Date.now());
  const times = sortedTimes(outcomes);
  const firstDelta = Float64Array.from(outcomes, ({ firstDeltaMs }) => firstDeltaMs).sort();
  const count = (kind: string): number => outcomes.filter((it) => it.kind === kind).length;
  const found = {
    messages: outcomes.length,
    messages_per_second: rate,
    full_answers: count('full'),
    refused: count('refused'),
    failed: count('failed') + count('lesser'),
    e2e_p50_ms: percentile(times, 0.5),
    e2e_p95_ms: percentile(times, 0.95),
    e2e_p99_ms: percentile(times, 0.99),
    first_delta_p95_ms: percentile(firstDelta, 0.95),
    beyond_critical_path_p95_ms: percentile(times, 0.95) - CRITICAL_PATH_MS,
    fanout_parallel_p95_ms: figures.percentileOf(METRICS.fanoutParallel, 0.95),
    overhead_p50_ms: figures.percentileOf(METRICS.overhead, 0.5),
    overhead_p95_ms: figures.percentileOf(METRICS.overhead, 0.95),
    overhead_p99_ms: figures.percentileOf(METRICS.overhead, 0.99),
    event_loop_delay_p50_ms: figures.percentileOf(METRICS.eventLoopDelay, 0.5),
    event_loop_delay_max_ms: figures.maxOf(METRICS.eventLoopDelay),
    shed_messages: figures.sumOf(METRICS.shedRequests),
    exhaustion_rate: figures.exhaustionRate,
  };
  report.note('\nSteady load');
  report.table(Object.entries(found).map(([figure, value]) => ({ figure, value: round(value) })));
  return found;
}

async function drawCurve(crowd: Crowd, plan: ChatPlan, report: Report): Promise<Figures> {
  const tell = (label: string) => (step: GoodputStep) =>
    report.note(`${label} ${round(step.offered)}/s: ${round(step.fullShare * 100)} % full`);
  const capacity = await findCapacity(crowd, plan, tell('searching'));
  const steps: GoodputStep[] = [];
  for (const multiple of plan.steps) {
    const step = await measureStep(crowd, capacity * multiple, plan.stepSeconds, multiple);
    tell(`${multiple}×`)(step);
    steps.push(step);
  }
  report.note('\nGoodput: full answers of a model within their deadline');
  report.table(steps.map(rowOf));
  const peak = Math.max(...steps.map(({ goodput }) => goodput));
  const last = steps.at(-1);
  return {
    capacity_messages_per_second: capacity,
    goodput_peak_per_second: peak,
    goodput_at_10x_over_peak: (last?.goodput ?? Number.NaN) / peak,
    refusal_p95_ms_at_10x: last?.refusalP95Ms ?? Number.NaN,
    refusal_p99_ms_at_10x: last?.refusalP99Ms ?? Number.NaN,
    ...Object.fromEntries(
      steps.map(({ multiple, goodput }) => [`goodput_at_${nameOfMultiple(multiple)}`, goodput]),
    ),
  };
}

function nameOfMultiple(multiple: number): string {
  return `${String(multiple).replace('.', '_')}x`;
}

function rowOf(step: GoodputStep) {
  return {
    offered: `${step.multiple}× = ${round(step.offered)}/s`,
    goodput: round(step.goodput),
    'full %': round(step.fullShare * 100),
    refused: step.refused,
    failed: step.failed,
    'answer p99 ms': round(step.answerP99Ms),
    'refusal p95 ms': round(step.refusalP95Ms),
    'refusal p99 ms': round(step.refusalP99Ms),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
