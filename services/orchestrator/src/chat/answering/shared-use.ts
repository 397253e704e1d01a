import { randomUUIDv7 } from 'node:crypto';
import type { Ledger } from '@matsuri/database';
import type { Question } from '../ports';
import type { Generation } from './generation';

/** Puts on record that an answer was had which another pays for. */
export function recordSharedUse(
  { model, servedBy }: Pick<Generation, 'model' | 'servedBy'>,
  { caller, messageId }: Question,
  ledger: Pick<Ledger, 'recordCoalesced'>,
): Promise<void> {
  const { target } = servedBy;
  return ledger.recordCoalesced({
    attemptId: randomUUIDv7(),
    requestId: messageId,
    tenantId: caller.tenantId,
    userId: caller.userId,
    tokenId: caller.tokenId,
    requestedModel: model,
    servedModel: target.profile,
    region: target.region,
    target: 'on-demand',
  });
}
