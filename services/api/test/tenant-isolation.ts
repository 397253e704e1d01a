import { randomUUID } from 'node:crypto';
import type { ApiDocument, Operation, Sample } from './api-document';
import { operationsOf, sampleRequest } from './api-document';

export interface Crossing {
  readonly operationId: string;
  readonly sample: Sample;
}

/** Every route that takes an id, asked by one tenant for the id of another, and for one that nobody has. */
export function crossings(document: ApiDocument, tenant: string, foreignId: string): Crossing[] {
  const takesId = ({ path }: Operation): boolean => path.includes('{');
  return operationsOf(document)
    .filter(takesId)
    .flatMap((operation) =>
      [foreignId, randomUUID()].map((id) => ({
        operationId: operation.operationId,
        sample: sampleRequest(document, operation, { id, tenant }),
      })),
    );
}
