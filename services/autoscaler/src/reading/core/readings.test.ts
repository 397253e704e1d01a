import { defaultConfiguration } from '@matsuri/contract';
import { queriesFor, samplesOf, type MetricAnswers, type MetricPoint } from './metric-queries';
import { readingsOf } from './readings';

const NOW = Date.parse('2026-06-09T07:00:12+09:00');
const PERIOD = NOW - 12_000;
const point = (secondsAgo: number, value: number): MetricPoint => ({
  startMs: PERIOD - secondsAgo * 1_000,
  value,
});

/** Every query answered with nothing, as CloudWatch does for series that do not exist. */
function answers(given: Readonly<Record<string, readonly MetricPoint[]>>): MetricAnswers {
  const ids = queriesFor(defaultConfiguration).map(({ id }) => id);
  return new Map([
    ...ids.map((id): [string, readonly MetricPoint[]] => [id, []]),
    ...Object.entries(given),
  ]);
}

const read = (given: Readonly<Record<string, readonly MetricPoint[]>>, running = 10) =>
  readingsOf(answers(given), defaultConfiguration, running, NOW);

const gauge = (id: string, values: readonly MetricPoint[], speakers: readonly number[]) => ({
  [id]: values,
  [samplesOf(id)]: values.map(({ startMs }, at) => ({ startMs, value: speakers[at] ?? 0 })),
});

test('a gauge stands at the newest period in which all tasks spoke', () => {
  const given = gauge('inFlight', [point(0, 90), point(10, 300), point(20, 280)], [3, 10, 10]);
  expect(read(given).service.inFlight).toEqual({ value: 300, atMs: PERIOD });
});

test('a period in which only some spoke is news when it is higher already', () => {
  const given = gauge('waiting', [point(0, 900), point(10, 300)], [3, 10]);
  expect(read(given).service.waiting).toEqual({ value: 900, atMs: PERIOD + 10_000 });
});

test('calls that came in are a rate over their period', () => {
  const given = gauge('arrivals', [point(0, 90), point(10, 700)], [3, 10]);
  expect(read(given).service.arrivalsPerSecond).toEqual({ value: 70, atMs: PERIOD });
});

test('fewer tasks than before may speak when fewer run', () => {
  const given = gauge('inFlight', [point(0, 90), point(10, 300)], [3, 10]);
  expect(read(given, 3).service.inFlight).toMatchObject({ value: 90 });
});

test('tasks that just started have not spoken yet and are not waited for', () => {
  const given = gauge('inFlight', [point(0, 500), point(10, 480)], [10, 10]);
  expect(read(given, 60).service.inFlight).toMatchObject({ value: 500 });
});

test('nothing answered is no reading, not a zero', () => {
  const { service, models } = readingsOf(new Map(), defaultConfiguration, 10, NOW);
  expect(service).toEqual({
    inFlight: undefined,
    waiting: undefined,
    arrivalsPerSecond: undefined,
    queueDepth: undefined,
    latencyP99Ms: undefined,
  });
  expect(models.complex.throttles).toBeUndefined();
});

test('throttles nobody mentions are zero where the tasks spoke, and unknown where they did not', () => {
  const spoken = gauge('inFlight', [point(0, 10)], [10]);
  expect(read(spoken).models.complex.throttles).toEqual({ value: 0, atMs: PERIOD + 10_000 });
  expect(read({}).models.complex.throttles).toBeUndefined();
});

test('throttles of the last two periods count, and AWS’s own when they are more', () => {
  const spoken = gauge('inFlight', [point(0, 10)], [10]);
  const own = { ...spoken, throttles_0: [point(10, 4), point(30, 100)] };
  expect(read(own).models.complex.throttles).toMatchObject({ value: 4 });
  const minute = { startMs: PERIOD - 60_000, value: 25 };
  expect(read({ ...own, bedrock_throttles_0: [minute] }).models.complex.throttles).toMatchObject({
    value: 25,
  });
});

test('tokens of all models of an alias add up, and the other alias is apart', () => {
  const given = {
    ...gauge('tokens_0', [point(0, 7_000)], [10]),
    ...gauge('tokens_1', [point(0, 500)], [10]),
    ...gauge('tokens_2', [point(0, 3_000)], [10]),
  };
  const { models } = read(given);
  expect(models.complex.tokensPerSecond).toMatchObject({ value: 7_500 });
  expect(models.simple.tokensPerSecond).toMatchObject({ value: 3_000 });
});

test('input and output are rates of the newest whole minute', () => {
  const minute = (value: number) => [{ startMs: PERIOD - 60_000, value }];
  const { models } = read({
    bedrock_input_0: minute(60_000),
    bedrock_output_0: minute(6_000),
    bedrock_latency_0: minute(4_200),
  });
  expect(models.complex).toMatchObject({
    inputTokensPerSecond: { value: 1_000, atMs: PERIOD },
    outputTokensPerSecond: { value: 100, atMs: PERIOD },
    latencyP99Ms: { value: 4_200 },
  });
});

test('on-demand tokens cost what each profile asks for them', () => {
  const minute = (value: number) => [{ startMs: PERIOD - 60_000, value }];
  // Two profiles of the complex model in the home region, at $2.2/$11 and $2/$10 a million.
  const { models } = read({
    bedrock_input_0: minute(1_000_000),
    bedrock_output_0: minute(100_000),
    bedrock_input_1: minute(1_000_000),
  });
  const { value, atMs } = models.complex.onDemandDollarsPerHour ?? {};
  expect(value).toBeCloseTo((2.2 + 1.1 + 2) * 60);
  expect(atMs).toBe(PERIOD);
  expect(models.simple.onDemandDollarsPerHour).toMatchObject({ value: 0 });
});

test('what a profile costs that did not answer is unknown', () => {
  const known = new Map(answers({}));
  known.delete('bedrock_output_1');
  const { models } = readingsOf(known, defaultConfiguration, 10, NOW);
  expect(models.complex.onDemandDollarsPerHour).toBeUndefined();
  expect(models.simple.onDemandDollarsPerHour).toMatchObject({ value: 0 });
});

test('every query has an id of its own that CloudWatch takes', () => {
  const ids = queriesFor(defaultConfiguration).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]\w*$/.test(id))).toEqual([]);
});
