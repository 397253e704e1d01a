import {
  isResident,
  profileOf,
  type ModelCatalogue,
  type ModelTarget,
  type Residency,
} from '@matsuri/contract';

/**
 * Where a tenant's texts are embedded: the first place that it may be served in. The same for its documents and for
 * questions about them, since meanings of different models do not compare.
 */
export function embeddingTarget(
  models: ModelCatalogue,
  residencies: readonly Residency[] | null,
): ModelTarget | undefined {
  return models.aliases.embed.find(({ profile }) =>
    isResident(residencies, profileOf(models, profile)),
  );
}
