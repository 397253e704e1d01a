import type { ModelCatalogue } from '@matsuri/contract';

import type { ModelOptions } from '../bedrock/core/models';

type Catalogue = Readonly<Pick<ModelCatalogue, 'models' | 'profiles'>>;

/** The catalogue's models as the Bedrock stand-in offers them: same ids, limits and burndown. */
export function offeredModels({ models, profiles }: Catalogue): readonly ModelOptions[] {
  return Object.entries(profiles).flatMap(([id, profile]) => {
    const model = models[profile.model];
    if (model === undefined) return [];
    return [
      {
        id,
        family: model.kind === 'embedding' ? 'titan-embed' : 'text',
        burndown: Math.max(1, model.outputBurndown),
        contextTokens: model.contextTokens,
        maxOutputTokens: model.maxOutputTokens,
        thinking: [...THINKING[model.thinking]],
        ...(model.minCacheTokens > 0 ? { cacheMinTokens: model.minCacheTokens } : {}),
        dimensions: model.dimensions === undefined ? [] : [model.dimensions],
      } satisfies ModelOptions,
    ];
  });
}

const THINKING = {
  none: [],
  budget: ['enabled'],
  adaptive: ['adaptive'],
} as const;
