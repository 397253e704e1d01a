import type { Intent } from '@matsuri/contract';

export interface RetrievalWish {
  readonly tenantId: string;
  readonly intent: Intent;
  readonly text: string;
  /** Absent where the question could not be embedded: the words alone then decide. */
  readonly vector?: readonly number[];
  readonly size: number;
}

/** How much the words and the meaning weigh. */
const WEIGHTS = [0.4, 0.6];
const NEIGHBOURS = 20;
const LONGEST_TEXT = 1_000;

/**
 * The body of a search. Every query in it carries the tenant's filter itself: the neighbours of a vector are chosen
 * among what the tenant may see, not thinned out afterwards.
 */
export function retrievalQuery(wish: RetrievalWish): Readonly<Record<string, unknown>> {
  const { text, vector, size } = wish;
  const filter = filtersOf(wish);
  const byWords = {
    bool: {
      must: [
        {
          multi_match: {
            query: text.slice(0, LONGEST_TEXT).toWellFormed(),
            fields: ['title^3', 'title_en^3', 'author^2', 'author_en^2', 'tags', 'text', 'text_en'],
          },
        },
      ],
      filter,
    },
  };
  const asked = { size, _source: ['id', 'title', 'title_en', 'text', 'text_en'] };
  if (vector === undefined) return { ...asked, query: byWords };
  const byMeaning = { knn: { vector: { vector, k: NEIGHBOURS, filter: { bool: { filter } } } } };
  return {
    ...asked,
    query: { hybrid: { queries: [byWords, byMeaning] } },
    search_pipeline: {
      phase_results_processors: [
        {
          'normalization-processor': {
            normalization: { technique: 'min_max' },
            combination: { technique: 'arithmetic_mean', parameters: { weights: WEIGHTS } },
          },
        },
      ],
    },
  };
}

function filtersOf({ tenantId, intent }: RetrievalWish) {
  return [{ term: { tenant: tenantId } }, { term: { scope: 'public' } }, { term: { intent } }];
}
