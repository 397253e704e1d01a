import type { InferenceProfile, Model, ModelCatalogue, ModelTarget } from './model-schema';

/** Tokens of one upstream call, as Bedrock counts them. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Those of `cacheWriteTokens` that are kept for an hour, which cost more; absent: none. */
  readonly cacheWriteOneHourTokens?: number;
}

const NANO_DOLLARS_PER_DOLLAR = 1_000_000_000;
const TOKENS_PER_PRICE = 1_000_000;

/** The price of a call in billionths of a dollar: whole numbers add up without drift. */
export function priceNanoDollars(profile: InferenceProfile, usage: TokenUsage): number {
  const price = profile.dollarsPerMillionTokens;
  const forAnHour = usage.cacheWriteOneHourTokens ?? 0;
  const dollars =
    usage.inputTokens * price.input +
    usage.outputTokens * price.output +
    usage.cacheReadTokens * price.cacheRead +
    (usage.cacheWriteTokens - forAnHour) * price.cacheWrite +
    forAnHour * price.cacheWriteOneHour;
  return Math.round((dollars * NANO_DOLLARS_PER_DOLLAR) / TOKENS_PER_PRICE);
}

/** The one spelling of a target in metrics, keys and logs. */
export function targetName(target: ModelTarget): string {
  return `${target.profile}@${target.region}`;
}

/** What a profile id of the catalogue stands for; undefined for an id it does not hold. */
export function modelOfProfile(catalogue: ModelCatalogue, profileId: string): Model | undefined {
  const profile = profileOf(catalogue, profileId);
  return profile === undefined ? undefined : catalogue.models[profile.model];
}

/** A profile by an id that may come from a caller: nothing but what the catalogue itself holds is found. */
export function profileOf(
  catalogue: ModelCatalogue,
  profileId: string,
): InferenceProfile | undefined {
  return Object.hasOwn(catalogue.profiles, profileId) ? catalogue.profiles[profileId] : undefined;
}
