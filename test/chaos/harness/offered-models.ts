import { MODEL_CATALOGUE } from '@matsuri/contract';
import { DEFAULT_MODELS, type ModelOptions } from '@matsuri/local';

/** What the stand-in serves: its own models, and those of the catalogue it does not know by itself. */
export function offeredModels(): readonly ModelOptions[] {
  const known = new Set(DEFAULT_MODELS.map(({ id }) => id));
  const [sonnet] = DEFAULT_MODELS;
  if (!sonnet) return [];
  return [
    ...DEFAULT_MODELS,
    ...Object.keys(MODEL_CATALOGUE.profiles)
      .filter((id) => !known.has(id))
      .map((id) => ({ ...sonnet, id })),
  ];
}
