import { z } from 'zod';
import type { DeepReadonly } from './deep';
import {
  amountSchema,
  countSchema,
  perChatAlias,
  positiveInteger,
  timeOfDaySchema,
} from './quantities';

const windowSchema = z.strictObject({
  from: timeOfDaySchema,
  /** Earlier than `from`: the window goes over midnight. */
  to: timeOfDaySchema,
  units: perChatAlias(countSchema),
  /** An estimate to compare with the bill, not used in any decision. */
  estimatedMonthlyDollars: amountSchema,
});

/** Provisioned throughput: a set that is bought and given back, off unless an environment turns it on. */
export const provisionedSchema = z.strictObject({
  enabled: z.boolean(),
  /** Units by local time of day; zero means on demand. */
  windows: z.array(windowSchema),
  eventUnits: perChatAlias(countSchema),
  maxUnits: perChatAlias(countSchema),
  maxDollarsPerHour: amountSchema,
  dollarsPerUnitHour: perChatAlias(amountSchema),
  tokensPerSecondPerUnit: perChatAlias(positiveInteger),
  activationSeconds: positiveInteger,
  /**
   * What is put into `modelId` of a purchase. Only some variants of a model are for sale; absent: the id of
   * the alias's first model.
   */
  purchaseModelIds: z.strictObject({
    complex: z.string().min(1).optional(),
    simple: z.string().min(1).optional(),
  }),
});

export type ProvisionedWindow = DeepReadonly<z.output<typeof windowSchema>>;

export const DEFAULT_PROVISIONED: z.input<typeof provisionedSchema> = {
  enabled: false,
  windows: [
    { from: '02:00', to: '06:00', units: { complex: 0, simple: 0 }, estimatedMonthlyDollars: 0 },
    {
      from: '06:00',
      to: '12:00',
      units: { complex: 5, simple: 3 },
      estimatedMonthlyDollars: 7_200,
    },
    {
      from: '12:00',
      to: '17:00',
      units: { complex: 8, simple: 3 },
      estimatedMonthlyDollars: 9_900,
    },
    {
      from: '17:00',
      to: '02:00',
      units: { complex: 15, simple: 5 },
      estimatedMonthlyDollars: 18_000,
    },
  ],
  eventUnits: { complex: 25, simple: 8 },
  maxUnits: { complex: 30, simple: 10 },
  maxDollarsPerHour: 150,
  // Fits the evening window's estimate; an account's own price replaces it.
  dollarsPerUnitHour: { complex: 4, simple: 1.33 },
  tokensPerSecondPerUnit: { complex: 1_000, simple: 2_000 },
  activationSeconds: 900,
  purchaseModelIds: {},
};

/** Tokens/s that a number of units carries by these constants. */
export function tokensPerSecondOf(
  units: { readonly complex: number; readonly simple: number },
  perUnit: { readonly complex: number; readonly simple: number },
): number {
  return units.complex * perUnit.complex + units.simple * perUnit.simple;
}
