import { FULL, SHAPES, SYSTEMS, UPSTREAMS } from '../plan';
import type { SystemName } from '../plan';
import { figuresOf } from './figures';
import type { Measurements } from './figures';
import type { Observation } from './observation';

const EXTRA_MS: Readonly<Record<SystemName, number>> = {
  direct: 0,
  bare_proxy: 1,
  ours: 2,
  portkey: 5,
};
const CPU: Readonly<Record<SystemName, number>> = {
  direct: 50,
  bare_proxy: 100,
  ours: 300,
  portkey: 1_000,
};

/** Rounds in which the whole machine gets slower and slower. */
function rounds(count: number): Observation[] {
  const list: Observation[] = [];
  for (let round = 0; round < count; round += 1) {
    for (const upstream of UPSTREAMS)
      for (const shape of SHAPES)
        for (const system of SYSTEMS) {
          const slowness = round * 10;
          const base = 50 + slowness + EXTRA_MS[system];
          const percentiles = { p50: base, p95: base + 1, p99: base + 2 };
          list.push({
            system,
            upstream,
            shape,
            round,
            firstContentMs: percentiles,
            wholeMs: { p50: base + 20, p95: base + 21, p99: base + 22 },
            lateMs: { p50: 0.1, p95: 0.5, p99: 1 },
            cpuMicrosPerRequest: CPU[system] * (1 + round),
            redisMicrosPerRequest: 20,
            postgresMicrosPerRequest: 200,
            errors: system === 'portkey' && round === 0 ? 1 : 0,
          });
        }
  }
  return list;
}

const measured: Measurements = {
  plan: FULL,
  rounds: rounds(3),
  crowds: SYSTEMS.flatMap((system) =>
    SHAPES.map((shape) => ({ system, shape, requestsPerSecond: 900.4, errors: 0 })),
  ),
  residentMegabytes: { direct: 90, bare_proxy: 80, ours: 180, portkey: 300 },
};
const figures = figuresOf(measured);

test('added latency is taken within a round, so a slower machine adds nothing', () => {
  expect(figures).toMatchObject({
    bare_proxy_json_added_p50_ms: 1,
    ours_json_added_p99_ms: 2,
    portkey_sse_added_p95_ms: 5,
    ours_sse_last_byte_added_p50_ms: 2,
  });
});

test('CPU is the median over rounds, the ratio is taken within a round', () => {
  expect(figures).toMatchObject({
    ours_json_cpu_us_per_request: 600,
    portkey_sse_cpu_us_per_request: 2_000,
    json_cpu_ratio_ours_over_portkey: 0.3,
    sse_cpu_ratio_ours_over_portkey: 0.3,
  });
});

test('errors are added up over all rounds and crowds', () => {
  expect(figures).toMatchObject({
    ours_errors: 0,
    portkey_errors: 4,
    portkey_rounds_with_errors: 4,
    ours_rss_mb: 180,
  });
});

test('every promised key is there', () => {
  const promised = (['bare_proxy', 'ours', 'portkey'] as const).flatMap((system) =>
    SHAPES.flatMap((shape) => [
      `${system}_${shape}_cpu_us_per_request`,
      ...['p50', 'p95', 'p99'].map((name) => `${system}_${shape}_added_${name}_ms`),
    ]),
  );
  expect(Object.keys(figures)).toEqual(expect.arrayContaining(promised));
});
