import { z } from 'zod';
import { DOLLARS_PATTERN } from '../core/dollars';

/** An amount we say: a decimal text, exact to the micro-dollar. */
export const dollarsSchema = z.string().meta({
  description: 'US dollars as a decimal text.',
  examples: ['12.50', '0.000042'],
});

/** A cap a caller sets. */
export const capSchema = z
  .string()
  .regex(DOLLARS_PATTERN, 'must be dollars as a decimal text such as "12.50", at most a million')
  .meta({ description: 'US dollars as a decimal text, at most a million.', examples: ['12.50'] });
