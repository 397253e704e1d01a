import type { z } from 'zod';
import { CALENDAR_2026 } from '../calendar/calendar-2026';
import { DEFAULT_TRAFFIC } from '../calendar/traffic';
import { MODEL_CATALOGUE } from '../models/catalogue';
import type { ModelTarget } from '../models/model-schema';
import { DEFAULT_METRIC_NAMESPACE } from '../names/alerting';
import { SCALING_PROFILES, type ScalingProfileName } from '../scaling/profiles';
import { DEFAULT_AUTOSCALER } from './autoscaler';
import { DEFAULT_FUNCTIONS, DEFAULT_QUEUES } from './control-plane';
import { DEFAULT_DATA, DEFAULT_SPEND } from './data';
import { DEFAULT_FLEET } from './fleet';
import {
  ACCOUNT_DEFAULT_REQUESTS_PER_MINUTE,
  DEFAULT_API_TOKENS,
  DEFAULT_GATEWAY,
  DEFAULT_LEDGER,
  DEFAULT_TOKENS_PER_MINUTE,
  type Quota,
} from './gateway';
import { DEFAULT_API } from './hosts';
import { DEFAULT_JOBS } from './jobs';
import { DEFAULT_MITIGATIONS } from './mitigations';
import { DEFAULT_ORCHESTRATOR, DEFAULT_SESSIONS } from './orchestrator';
import type { platformSchema } from './platform';
import { DEFAULT_POOLS } from './pools';
import { DEFAULT_PROVISIONED } from './provisioned';
import { DEFAULT_ANSWERING, DEFAULT_BREAKER, DEFAULT_RETRY } from './resilience';
import { DEFAULT_TENANTS } from './tenants';
import { DEFAULT_TIMEOUTS } from './timeouts';

function accountDefault(target: ModelTarget): Quota {
  return {
    ...target,
    requestsPerMinute: ACCOUNT_DEFAULT_REQUESTS_PER_MINUTE,
    tokensPerMinute: DEFAULT_TOKENS_PER_MINUTE,
  };
}

/** The platform as it ships, for MangaAssist in Tokyo, before an environment changes anything. */
export function defaultsOf(profile: ScalingProfileName): z.input<typeof platformSchema> {
  return {
    product: { name: 'mangaassist', metricNamespace: DEFAULT_METRIC_NAMESPACE },
    environment: 'prod',
    region: 'ap-northeast-1',
    profile,
    scaling: SCALING_PROFILES[profile],
    calendar: CALENDAR_2026,
    traffic: DEFAULT_TRAFFIC,
    provisioned: DEFAULT_PROVISIONED,
    autoscaler: DEFAULT_AUTOSCALER,
    mitigations: DEFAULT_MITIGATIONS,
    models: MODEL_CATALOGUE,
    quotas: Object.values(MODEL_CATALOGUE.aliases).flat().map(accountDefault),
    timeouts: DEFAULT_TIMEOUTS,
    pools: DEFAULT_POOLS,
    breaker: DEFAULT_BREAKER,
    retry: DEFAULT_RETRY,
    answering: DEFAULT_ANSWERING,
    gateway: DEFAULT_GATEWAY,
    tenants: DEFAULT_TENANTS,
    apiTokens: DEFAULT_API_TOKENS,
    ledger: DEFAULT_LEDGER,
    orchestrator: DEFAULT_ORCHESTRATOR,
    sessions: DEFAULT_SESSIONS,
    api: DEFAULT_API,
    fleet: DEFAULT_FLEET,
    functions: DEFAULT_FUNCTIONS,
    queues: DEFAULT_QUEUES,
    jobs: DEFAULT_JOBS,
    data: DEFAULT_DATA,
    spend: DEFAULT_SPEND,
    acknowledged: {
      'worker-memory-hard':
        'Workers rarely pass their soft limit together; the memory of every host is alarmed on.',
    },
  };
}
