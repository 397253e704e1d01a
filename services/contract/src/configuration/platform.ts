import { z } from 'zod';
import { calendarSchema } from '../calendar/calendar-schema';
import { trafficSchema } from '../calendar/traffic';
import { modelCatalogueSchema } from '../models/model-schema';
import { scalingProfileSchema } from '../scaling/profile';
import { autoscalerSchema } from './autoscaler';
import { functionsSchema, queuesSchema } from './control-plane';
import { dataSchema, spendSchema } from './data';
import type { DeepPartial, DeepReadonly } from './deep';
import { fleetSchema } from './fleet';
import { apiTokensSchema, gatewaySchema, ledgerSchema, quotasSchema } from './gateway';
import { apiSchema } from './hosts';
import { jobsSchema } from './jobs';
import { mitigationsSchema } from './mitigations';
import { orchestratorSchema, sessionsSchema } from './orchestrator';
import { poolsSchema } from './pools';
import { provisionedSchema } from './provisioned';
import { answeringSchema, breakerSchema, retrySchema } from './resilience';
import { tenantsSchema } from './tenants';
import { timeoutsSchema } from './timeouts';

const productSchema = z.strictObject({
  /** Prefix of physical names; lower case. */
  name: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  metricNamespace: z.string().min(1),
});

export const platformSchema = z.strictObject({
  product: productSchema,
  environment: z.string().regex(/^[a-z][a-z0-9-]{0,19}$/),
  region: z.string().min(1),
  profile: z.enum(['baseline', 'genai']),
  scaling: scalingProfileSchema,
  calendar: calendarSchema,
  traffic: trafficSchema,
  provisioned: provisionedSchema,
  autoscaler: autoscalerSchema,
  mitigations: mitigationsSchema,
  models: modelCatalogueSchema,
  quotas: quotasSchema,
  timeouts: timeoutsSchema,
  pools: poolsSchema,
  breaker: breakerSchema,
  retry: retrySchema,
  answering: answeringSchema,
  gateway: gatewaySchema,
  tenants: tenantsSchema,
  apiTokens: apiTokensSchema,
  ledger: ledgerSchema,
  orchestrator: orchestratorSchema,
  sessions: sessionsSchema,
  api: apiSchema,
  fleet: fleetSchema,
  functions: functionsSchema,
  queues: queuesSchema,
  jobs: jobsSchema,
  data: dataSchema,
  spend: spendSchema,
  /**
   * Contradictions an environment accepts, by id, each with a written reason: an error becomes a warning
   * that carries the reason.
   */
  acknowledged: z.record(z.string(), z.string().min(10)),
});

/** Everything an environment chooses. Infrastructure and programs read the same one. */
export type PlatformConfiguration = DeepReadonly<z.output<typeof platformSchema>>;

/** The parts an environment changes; the rest keeps its default. */
export type PlatformOverrides = DeepPartial<z.input<typeof platformSchema>>;
