import type { ModelCatalogue } from '@matsuri/contract';

/** Names of models that no caller could ever ask for: aliases, models and profiles of the catalogue are known. */
export function unknownModels(catalogue: ModelCatalogue, names: readonly string[]): string[] {
  const { aliases, models, profiles } = catalogue;
  return names.filter(
    (name) => ![aliases, models, profiles].some((known) => Object.hasOwn(known, name)),
  );
}
