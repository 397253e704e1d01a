import type { Scene } from '../platform/scene';
import type { Policy } from '../platform/simulate';
import { oracle, staticPeak } from './clairvoyant';
import { keda } from './keda';
import { knative } from './knative';
import { cpuTracking, nativeProfile, requestTracking } from './native-profiles';
import { ours } from './ours';
import { publishedAlgorithm } from './published-algorithm';

/** Every policy that can be compared, the oracle among them. */
export const POLICIES = {
  oracle,
  ours: (scene: Scene) => ours(scene),
  source: publishedAlgorithm,
  knative,
  keda,
  static_peak: staticPeak,
  cpu: cpuTracking,
  requests: requestTracking,
  baseline: nativeProfile('baseline'),
  genai: nativeProfile('genai'),
} as const satisfies Record<string, (scene: Scene) => Policy>;

export type PolicyName = keyof typeof POLICIES;

/** Policies that act differently when the calendar speaks of the traffic. */
export const CALENDAR_READERS: readonly PolicyName[] = ['ours', 'baseline', 'genai'];
