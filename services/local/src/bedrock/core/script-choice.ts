import { z } from 'zod';

import { OK_SCRIPT, scriptSchema } from './scripts';
import type { Script } from './scripts';
import { hashText, seededRandom } from './seeded-random';

/** A script waiting for calls that fit. */
export const scriptRuleSchema = z.object({
  script: scriptSchema,
  /** Calls it is good for. */
  times: z.int().positive().default(1),
  /** Only calls that match all of these; a rule without any takes every call. */
  when: z
    .object({
      model: z.string().optional(),
      region: z.string().optional(),
      operation: z.string().optional(),
      promptContains: z.string().optional(),
      attemptId: z.string().optional(),
    })
    .default({}),
});

/** Scripts drawn at random, reproducibly: the n-th call under a seed always draws the same. */
export const scriptMixSchema = z.object({
  seed: z.int(),
  weights: z.array(z.object({ script: scriptSchema, weight: z.number().positive() })).min(1),
});

export type ScriptRuleOptions = z.input<typeof scriptRuleSchema>;
export type ScriptRule = z.output<typeof scriptRuleSchema>;
export type ScriptMixOptions = z.input<typeof scriptMixSchema>;
export type ScriptMix = z.output<typeof scriptMixSchema>;

/** What a rule can look at. */
export interface ScriptedCall {
  readonly model: string;
  readonly region: string;
  readonly operation: string;
  readonly attemptId: string;
  /** The request as it came; asked for only when a rule searches it. */
  body(): string;
}

/** Whether a rule is meant for a call. */
export function ruleMatches({ when }: ScriptRule, call: ScriptedCall): boolean {
  return (
    (when.model === undefined || when.model === call.model) &&
    (when.region === undefined || when.region === call.region) &&
    (when.operation === undefined || when.operation === call.operation) &&
    (when.attemptId === undefined || when.attemptId === call.attemptId) &&
    (when.promptContains === undefined || call.body().includes(when.promptContains))
  );
}

/** The script the n-th call draws from a mix. */
export function drawScript(mix: ScriptMix, ordinal: number): Script {
  const total = mix.weights.reduce((sum, { weight }) => sum + weight, 0);
  let remaining = seededRandom(hashText(String(ordinal), mix.seed)).next() * total;
  for (const { script, weight } of mix.weights) {
    remaining -= weight;
    if (remaining < 0) return script;
  }
  return OK_SCRIPT;
}
