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
const SHOWN = ['id', 'title', 'title_en', 'text', 'text_en'];

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
  const asked = { size, _source: SHOWN };
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

/** The body of a search for what sells best. */
export function popularTitlesQuery(
  tenantId: string,
  size: number,
): Readonly<Record<string, unknown>> {
  return {
    size,
    _source: SHOWN,
    query: { bool: { filter: [...ofTenant(tenantId), { term: { kind: 'title' } }] } },
    sort: [{ popularity_rank: 'asc' }],
  };
}

function filtersOf({ tenantId, intent }: RetrievalWish) {
  return [...ofTenant(tenantId), { term: { intent } }];
}

function ofTenant(tenantId: string) {
  return [{ term: { tenant: tenantId } }, { term: { scope: 'public' } }];
}
