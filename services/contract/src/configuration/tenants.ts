import { z } from 'zod';
import type { InferenceProfile } from '../models/model-schema';
import { residencySchema } from '../models/model-schema';

/** Where a request may be processed. */
export type Residency = z.output<typeof residencySchema>;

/** What the platform was told about one tenant. */
const tenantSchema = z.strictObject({
  /**
   * Where its requests may be processed, failovers and bought capacity included. Absent: wherever the catalogue goes.
   */
  residencies: z.array(residencySchema).min(1).optional(),
});

/** Tenants that are treated differently from all others, by id. */
export const tenantsSchema = z.record(z.string().regex(/^[\x21-\x7e]{1,128}$/), tenantSchema);

export const DEFAULT_TENANTS: z.input<typeof tenantsSchema> = {};

type Tenants = Readonly<
  Record<string, { readonly residencies?: readonly Residency[] | undefined }>
>;

/** Where a tenant's requests may be processed; `null`: wherever the catalogue goes. The id may come from a caller. */
export function residenciesOf(tenants: Tenants, tenantId: string): readonly Residency[] | null {
  const tenant = Object.hasOwn(tenants, tenantId) ? tenants[tenantId] : undefined;
  return tenant?.residencies ?? null;
}

/** Whether an allow-list lets a profile be used. What the catalogue does not hold is nowhere. */
export function isResident(
  residencies: readonly Residency[] | null,
  profile: InferenceProfile | undefined,
): boolean {
  return residencies === null || (profile !== undefined && residencies.includes(profile.residency));
}
