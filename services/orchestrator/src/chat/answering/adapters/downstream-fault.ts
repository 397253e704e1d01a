import { DatabaseUnavailableError } from '@matsuri/database';
import { ModelCallError } from '../../../gateway/ports';
import { SearchRefusedError } from '../../../adapters/opensearch-connection';

/** Refusals of what was asked; another question would have been answered. */
const REFUSALS: ReadonlySet<string> = new Set([
  'ConditionalCheckFailedException',
  'ValidationException',
  'ValidationError',
  'UnclassifiedError',
  'EmbeddingRefusedError',
]);

/** Whether a failure speaks against the downstream: then it may also pass by itself, and is worth another try. */
export function isDownstreamFault(error: unknown): boolean {
  if (error instanceof ModelCallError) {
    return error.failure !== 'invalid-request' && error.failure !== 'no-connection';
  }
  // Where nothing can be put on record, no model is asked: that says nothing about the model.
  if (error instanceof DatabaseUnavailableError) return false;
  if (error instanceof SearchRefusedError) return error.status === 429 || error.status >= 500;
  return !(error instanceof Error && REFUSALS.has(error.name));
}
