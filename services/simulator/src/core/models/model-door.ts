import {
  CHAT_ALIASES,
  type AliasDemand,
  type ChatAlias,
  type Mitigation,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { scaledDemand, summedDemand, type ModelDemand } from './model-demand';

/** Assumed, and on the careful side: what each mitigation takes off the models while it is on. */
const COALESCED_SHARE = 0.05;
const SHIFTED_SHARE = 0.3;
const LONGER_CACHE_SHARE = 0.14;
const TEMPLATED_SHARE = 0.1;

/** What one alias' models let through. */
export interface Passage {
  readonly asked: AliasDemand;
  /** Of what was asked, 0 to 1. */
  readonly throttledShare: number;
  /** Of what was let through, what provisioned units carried: it costs no tokens. */
  readonly provisionedShare: number;
  /** The limit that was reached, in words of the configuration. */
  readonly limit?: 'requestsPerMinute' | 'tokensPerMinute';
}

/** Demand after the mitigations in force: fewer calls, and some of them to the smaller model. */
export function mitigated(asked: ModelDemand, active: ReadonlySet<Mitigation>): ModelDemand {
  if (active.size === 0) return asked;
  const kept =
    (active.has('coalesce') ? 1 - COALESCED_SHARE : 1) *
    (active.has('extend_cache') ? 1 - LONGER_CACHE_SHARE : 1) *
    (active.has('templates') ? 1 - TEMPLATED_SHARE : 1);
  const complex = scaledDemand(asked.complex, kept);
  const simple = scaledDemand(asked.simple, kept);
  if (!active.has('shift_to_simple') || simple.requestsPerMinute === 0) return { complex, simple };
  // A shifted question costs what a simple one costs.
  const shifted = (complex.requestsPerMinute * SHIFTED_SHARE) / simple.requestsPerMinute;
  return {
    complex: scaledDemand(complex, 1 - SHIFTED_SHARE),
    simple: summedDemand(simple, scaledDemand(simple, shifted)),
  };
}

/** On-demand quotas of an alias, over all its targets. */
interface Quota {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
}

export type ModelDoor = (alias: ChatAlias, asked: AliasDemand, servingUnits: number) => Passage;

/** Nothing is refused, everything is paid by the token. */
export const OPEN_DOOR: ModelDoor = (_alias, asked) => ({
  asked,
  throttledShare: 0,
  provisionedShare: 0,
});

/** Units first, then the on-demand quota; what fits in neither is throttled. */
export function modelDoor(configuration: PlatformConfiguration): ModelDoor {
  const quotas = new Map(CHAT_ALIASES.map((alias) => [alias, quotaOf(configuration, alias)]));
  const { tokensPerSecondPerUnit } = configuration.provisioned;
  return (alias, asked, servingUnits) => {
    const quota = quotas.get(alias) ?? { requestsPerMinute: 0, tokensPerMinute: 0 };
    const byUnits = servingUnits * tokensPerSecondPerUnit[alias];
    const unitShare =
      asked.tokensPerSecond === 0 ? 0 : Math.min(1, byUnits / asked.tokensPerSecond);
    const rest = scaledDemand(asked, 1 - unitShare);
    const byRequests = shareThrough(rest.requestsPerMinute, quota.requestsPerMinute);
    const byTokens = shareThrough(rest.tokensPerMinute, quota.tokensPerMinute);
    const through = Math.min(byRequests, byTokens);
    const throttledShare = (1 - unitShare) * (1 - through);
    return {
      asked,
      throttledShare,
      provisionedShare: throttledShare === 1 ? 0 : unitShare / (1 - throttledShare),
      ...(through < 1 && {
        limit: byRequests <= byTokens ? 'requestsPerMinute' : 'tokensPerMinute',
      }),
    };
  };
}

function shareThrough(asked: number, limit: number): number {
  return asked <= limit ? 1 : limit / asked;
}

function quotaOf({ models, quotas }: PlatformConfiguration, alias: ChatAlias): Quota {
  const own = quotas.filter((quota) =>
    models.aliases[alias].some((it) => it.profile === quota.profile && it.region === quota.region),
  );
  return {
    requestsPerMinute: own.reduce((sum, it) => sum + it.requestsPerMinute, 0),
    tokensPerMinute: own.reduce((sum, it) => sum + it.tokensPerMinute, 0),
  };
}
