/** The mapping of an index for catalogue documents, with vectors of so many dimensions. */
export function catalogueIndex(dimension: number) {
  const keyword = { type: 'keyword' };
  const text = { type: 'text', analyzer: 'cjk' };
  const integer = { type: 'integer' };
  const date = { type: 'date' };
  const searchable = { ...text, fields: { keyword } };
  return {
    settings: { index: { knn: true } },
    mappings: {
      dynamic: 'strict',
      properties: {
        ...allOf(['id', 'tenant', 'scope', 'kind', 'intent', 'topic', 'digest'], keyword),
        ...allOf(['demographic', 'genres', 'status', 'magazine', 'weekday'], keyword),
        ...allOf(['title', 'title_en', 'author', 'author_en', 'tags'], searchable),
        ...allOf(['text', 'text_en', 'reading'], text),
        ...allOf(['volumes', 'price_jpy', 'popularity_rank', 'next_volume'], integer),
        ...allOf(['release_day', 'next_release_day'], date),
        vector: {
          type: 'knn_vector',
          dimension,
          method: { name: 'hnsw', engine: 'faiss', space_type: 'cosinesimil' },
        },
      },
    },
  };
}

function allOf<T>(names: readonly string[], mapping: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, mapping]));
}
