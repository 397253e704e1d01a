import type { Figures, TableRow } from '@matsuri/telemetry';

import { SHAPES, SYSTEMS } from '../plan';
import type { Shape } from '../plan';

const NAMES = {
  bare_proxy: 'bare node:http proxy',
  ours: 'ours, all features on',
  portkey: 'Portkey, features off',
} as const;

/** The figures as people read them, one table per shape. */
export function tablesOf(figures: Figures): { readonly title: string; rows: TableRow[] }[] {
  return SHAPES.map((shape) => ({ title: titleOf(shape), rows: rowsOf(figures, shape) }));
}

function titleOf(shape: Shape): string {
  return shape === 'json' ? 'JSON answers' : 'Streams of 20 deltas; added: to the first text';
}

function rowsOf(figures: Figures, shape: Shape): TableRow[] {
  const figure = (key: string): number => Number(figures[key]);
  const systems = SYSTEMS.filter((system) => system !== 'direct');
  return systems.map((system) => ({
    system: NAMES[system],
    'CPU µs/request': figure(`${system}_${shape}_cpu_us_per_request`),
    'added p50 ms': figure(`${system}_${shape}_added_p50_ms`),
    'p95 ms': figure(`${system}_${shape}_added_p95_ms`),
    'p99 ms': figure(`${system}_${shape}_added_p99_ms`),
    'crowd rps': figure(`${system}_${shape}_crowd_rps`),
    'RSS MB': figure(`${system}_rss_mb`),
    errors: figure(`${system}_errors`),
  }));
}
