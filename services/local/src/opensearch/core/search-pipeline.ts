import { z } from 'zod';

import { COMBINATIONS, NORMALIZATIONS } from './score-combination';
import type { Combination, Normalization } from './score-combination';
import { illegalArgument } from './search-error';

/** How the scores of a hybrid query become one. */
export interface SearchPipeline {
  readonly normalization: Normalization;
  readonly combination: Combination;
  /** One for each sub-query, together 1; absent means all alike. */
  readonly weights?: readonly number[];
}

const processor = z.strictObject({
  tag: z.string().optional(),
  description: z.string().optional(),
  ignore_failure: z.boolean().optional(),
  normalization: z
    .strictObject({ technique: z.enum(NORMALIZATIONS) })
    .default({ technique: 'min_max' }),
  combination: z
    .strictObject({
      technique: z.enum(COMBINATIONS).default('arithmetic_mean'),
      parameters: z.strictObject({ weights: z.array(z.number()).optional() }).default({}),
    })
    .default({ technique: 'arithmetic_mean', parameters: {} }),
});

const pipelineBody = z.strictObject({
  description: z.string().optional(),
  phase_results_processors: z
    .array(z.strictObject({ 'normalization-processor': processor }))
    .length(1),
});

/** Reads a search pipeline; this stand-in knows the normalization processor. */
export function parsePipeline(body: unknown): SearchPipeline {
  const parsed = pipelineBody.safeParse(body);
  const first = parsed.data?.phase_results_processors[0]?.['normalization-processor'];
  if (first === undefined) {
    const issue = parsed.error?.issues[0];
    const where = issue ? `[${issue.path.join('.')}] ${issue.message}` : 'it has no processor';
    throw illegalArgument(
      `This stand-in runs pipelines of one normalization-processor; cannot read this one: ${where}`,
    );
  }
  const { normalization, combination } = first;
  const { weights } = combination.parameters;
  if (weights) checkWeights(weights);
  return {
    normalization: normalization.technique,
    combination: combination.technique,
    ...(weights ? { weights } : {}),
  };
}

const TOLERANCE = 0.01;

function checkWeights(weights: readonly number[]): void {
  const submitted = `[${weights.join(', ')}]`;
  if (weights.some((weight) => weight < 0 || weight > 1)) {
    throw illegalArgument(
      `all weights must be in range [0.0 ... 1.0], submitted weights: ${submitted}`,
    );
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) > TOLERANCE) {
    throw illegalArgument(
      `sum of weights for combination must be equal to 1.0, submitted weights: ${submitted}`,
    );
  }
}
