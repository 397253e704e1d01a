/** How many optional clauses must match: a number, or a share such as `75%`; negative counts the missing. */
export type MinimumShouldMatch = number | `${number}%`;

export interface FieldBoost {
  /** A path, or a pattern such as `title*`. */
  readonly path: string;
  readonly boost: number;
}

export interface MatchOptions {
  readonly text: string;
  readonly operator: 'or' | 'and';
  readonly minimumShouldMatch?: MinimumShouldMatch;
}

export interface RangeBounds {
  readonly gt?: unknown;
  readonly gte?: unknown;
  readonly lt?: unknown;
  readonly lte?: unknown;
}

/** A query that gives each document it matches a score, multiplied by its boost. */
export type Query = { readonly boost: number } & (
  | { readonly kind: 'match_all' }
  | { readonly kind: 'match_none' }
  | { readonly kind: 'term'; readonly path: string; readonly value: unknown }
  | { readonly kind: 'terms'; readonly path: string; readonly values: readonly unknown[] }
  | { readonly kind: 'range'; readonly path: string; readonly bounds: RangeBounds }
  | { readonly kind: 'exists'; readonly path: string }
  | ({ readonly kind: 'match'; readonly path: string } & MatchOptions)
  | ({
      readonly kind: 'multi_match';
      readonly fields: readonly FieldBoost[];
      readonly combine: 'best_fields' | 'most_fields';
      readonly tieBreaker: number;
    } & MatchOptions)
  | {
      readonly kind: 'bool';
      readonly must: readonly Query[];
      readonly should: readonly Query[];
      readonly filter: readonly Query[];
      readonly mustNot: readonly Query[];
      readonly minimumShouldMatch?: MinimumShouldMatch;
    }
  | {
      readonly kind: 'knn';
      readonly path: string;
      readonly vector: readonly number[];
      readonly k: number;
      /** Applied before the k nearest are taken. */
      readonly filter?: Query;
    }
);

/** Several queries whose scores are brought to one scale and combined by a search pipeline. */
export interface HybridQuery {
  readonly kind: 'hybrid';
  readonly queries: readonly Query[];
  readonly filter?: Query;
  /** How many hits of each query take part. */
  readonly paginationDepth?: number;
}
