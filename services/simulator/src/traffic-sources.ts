import { defaultConfiguration, type PlatformConfiguration } from '@matsuri/contract';

import {
  SHIPPED_TRAFFIC,
  shippedTraffic,
  type AnnouncedTraffic,
  type ShippedTraffic,
} from './core/suite/shipped-traffic';
import { ordinarySizes } from './core/traffic/ordinary-sizes';
import type { RequestSize } from './core/traffic/request-sizes';
import { rateWorkload, requestWorkload } from './core/traces/trace-workload';
import type { TraceFolder } from './trace-files';

/** Traffic that can be played; it is drawn or read when its turn comes. */
export interface TrafficSource {
  readonly name: string;
  /** Whether there is a calendar that announces it. */
  readonly announced: boolean;
  readonly load: () => Omit<AnnouncedTraffic, 'calendar'> & Partial<AnnouncedTraffic>;
}

/** The trace whose sizes requests have that are drawn from rates, where it is at hand. */
const PREFERRED_SIZES = 'azure_llm_2023_conv';

/** What ships with the program, as the suite plays it: the platform as shipped, and models without quotas. */
export function suiteSources(seed: number): readonly TrafficSource[] {
  return SHIPPED_TRAFFIC.map((name) => ({
    name,
    announced: true,
    load: () => shippedTraffic(name, seed, defaultConfiguration),
  }));
}

/** The same as an environment expects it, with its quotas; and its release night with those of a new account. */
export function environmentSources(
  seed: number,
  environment: PlatformConfiguration,
): readonly TrafficSource[] {
  const newAccount = { ...environment, quotas: defaultConfiguration.quotas };
  const source = (name: ShippedTraffic, as: string, whose: PlatformConfiguration) => ({
    name: as,
    announced: true,
    load: () => {
      const drawn = shippedTraffic(name, seed, environment);
      return { ...drawn, workload: { ...drawn.workload, name: as }, environment: whose };
    },
  });
  return [
    ...SHIPPED_TRAFFIC.map((name) => source(name, name, environment)),
    source('release_night', 'release_night_new_account', newAccount),
  ];
}

/** What was recorded. */
export function recordedSources(folder: TraceFolder, seed: number): readonly TrafficSource[] {
  return folder.names.map((name) => ({
    name,
    announced: false,
    load: () => {
      const trace = folder.read(name);
      const workload =
        trace.kind === 'requests'
          ? requestWorkload(trace)
          : rateWorkload(trace, sampleOf(folder).sizes, seed);
      return { workload, startsAtMs: 0 };
    },
  }));
}

/** Sizes for requests of which only the rate is known, and where they are from. */
export function sampleOf(folder: TraceFolder): {
  readonly from: string;
  readonly sizes: readonly RequestSize[];
} {
  const others = folder.names.filter((name) => name !== PREFERRED_SIZES);
  const candidates = folder.names.includes(PREFERRED_SIZES) ? [PREFERRED_SIZES, ...others] : others;
  for (const name of candidates) {
    const trace = folder.read(name);
    if (trace.kind === 'requests') return { from: name, sizes: trace.requests };
  }
  return { from: 'the shipped traffic', sizes: ordinarySizes() };
}
