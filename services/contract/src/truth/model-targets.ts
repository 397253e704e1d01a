import type { PlatformConfiguration } from '../configuration/platform';
import { MODEL_ALIASES, type ModelAlias, type ModelTarget } from '../models/model-schema';
import { modelOfProfile, targetName } from '../models/pricing';
import { error, type Contradiction } from './contradiction';

/** Every target of an alias is in the catalogue, can be called where it says, and has a quota. */
export function modelTargets(configuration: PlatformConfiguration): readonly Contradiction[] {
  return MODEL_ALIASES.flatMap((alias) =>
    configuration.models.aliases[alias].flatMap((target) => [
      ...unknown(configuration, alias, target),
      ...wrongKind(configuration, alias, target),
      ...wrongRegion(configuration, alias, target),
      ...withoutQuota(configuration, alias, target),
    ]),
  );
}

function unknown(
  { models }: PlatformConfiguration,
  alias: ModelAlias,
  target: ModelTarget,
): Contradiction[] {
  if (modelOfProfile(models, target.profile) !== undefined) return [];
  return [
    error(
      'model-unknown',
      `The alias '${alias}' names '${target.profile}', but models.profiles or its model in models.models is missing: ` +
        'its price, limits and end of life are unknown.',
      `Add '${target.profile}' to models.profiles and its model to models.models, or correct models.aliases.${alias}.`,
    ),
  ];
}

function wrongKind(
  { models }: PlatformConfiguration,
  alias: ModelAlias,
  target: ModelTarget,
): Contradiction[] {
  const kind = modelOfProfile(models, target.profile)?.kind;
  const wanted = alias === 'embed' ? 'embedding' : 'chat';
  if (kind === undefined || kind === wanted) return [];
  return [
    error(
      'model-wrong-kind',
      `The alias '${alias}' needs a model for ${wanted}, '${target.profile}' is one for ${kind}.`,
      `Point models.aliases.${alias} at a model of kind '${wanted}'.`,
    ),
  ];
}

function wrongRegion(
  { models }: PlatformConfiguration,
  alias: ModelAlias,
  target: ModelTarget,
): Contradiction[] {
  const regions = models.profiles[target.profile]?.callableFrom;
  if (regions === undefined || regions.includes(target.region)) return [];
  return [
    error(
      'model-not-in-region',
      `The alias '${alias}' calls '${target.profile}' in ${target.region}; it can be called from ${regions.join(', ')}.`,
      `Use one of these regions in models.aliases.${alias}, or correct callableFrom of the profile.`,
    ),
  ];
}

function withoutQuota(
  { quotas }: PlatformConfiguration,
  alias: ModelAlias,
  target: ModelTarget,
): Contradiction[] {
  const found = quotas.some(
    (quota) => quota.profile === target.profile && quota.region === target.region,
  );
  if (found) return [];
  return [
    error(
      'quota-missing',
      `The target ${targetName(target)} of alias '${alias}' has no quota: the gateway could not limit calls to it.`,
      `Add { profile: '${target.profile}', region: '${target.region}', requestsPerMinute, tokensPerMinute } to quotas.`,
    ),
  ];
}
