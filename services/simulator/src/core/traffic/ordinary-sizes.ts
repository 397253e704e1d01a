import { defaultConfiguration } from '@matsuri/contract';
import { seededRandom } from '../random';
import { drawnSize } from './calendar-workload';
import { expectedTrafficAt } from './expected-traffic';
import type { RequestSize } from './request-sizes';

const SAMPLE = 20_000;
const SEED = 7;
const AN_ORDINARY_AFTERNOON = '2026-06-03T15:00:00+09:00';

/** Sizes of the requests of an ordinary afternoon. */
export function ordinarySizes(): readonly RequestSize[] {
  const random = seededRandom(SEED);
  const traffic = expectedTrafficAt(defaultConfiguration, Date.parse(AN_ORDINARY_AFTERNOON));
  return Array.from({ length: SAMPLE }, () => drawnSize(random, traffic));
}
