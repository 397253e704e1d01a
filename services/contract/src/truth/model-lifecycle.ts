import type { PlatformConfiguration } from '../configuration/platform';
import { MODEL_ALIASES } from '../models/model-schema';
import { modelOfProfile } from '../models/pricing';
import { endOfLifeOf } from '../models/retirements';
import { error, warning, type Contradiction } from './contradiction';

const DAY_MS = 86_400_000;
const WARN_DAYS = 90;

/** No alias points at a model whose calls fail; three months ahead of that people hear of it. */
export function modelLifecycle(
  configuration: PlatformConfiguration,
  nowMs: number,
): readonly Contradiction[] {
  return MODEL_ALIASES.flatMap((alias) => {
    const profiles = new Set(configuration.models.aliases[alias].map((target) => target.profile));
    return [...profiles].flatMap((profile) => {
      const model = modelOfProfile(configuration.models, profile);
      const endsOn = model === undefined ? undefined : endOfLifeOf(model);
      return endsOn === undefined ? [] : judged(alias, profile, endsOn, nowMs);
    });
  });
}

function judged(alias: string, profile: string, endsOn: string, nowMs: number): Contradiction[] {
  const days = Math.ceil((Date.parse(endsOn) - nowMs) / DAY_MS);
  const fix = `Replace '${profile}' in models.aliases.${alias} with a current model.`;
  if (days <= 0) {
    return [
      error(
        'model-retired',
        `'${profile}' of alias '${alias}' reached its end of life on ${endsOn}: every call to it fails.`,
        fix,
      ),
    ];
  }
  if (days > WARN_DAYS) return [];
  return [
    warning(
      'model-retiring',
      `'${profile}' of alias '${alias}' reaches its end of life on ${endsOn}, in ${days} days.`,
      fix,
    ),
  ];
}
