import { z } from 'zod';

/** Every refusal, in the shape of RFC 9457. */
export const problemSchema = z
  .object({
    type: z.string().meta({ examples: ['urn:matsuri:problem:not-found'] }),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    request_id: z.string().meta({ description: 'Quote it when you ask for help.' }),
    errors: z
      .array(z.object({ at: z.string(), detail: z.string() }))
      .optional()
      .meta({ description: 'What is wrong, part by part.' }),
    token_id: z.uuid().optional().meta({ description: 'With `idempotency-conflict`.' }),
    successor_id: z.uuid().optional().meta({ description: 'With `already-rotated`.' }),
  })
  .meta({ id: 'Problem', description: 'Why a request was refused (RFC 9457).' });

export type ProblemBody = z.output<typeof problemSchema>;
