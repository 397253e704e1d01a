import {
  createApiTokenRepository,
  createLedger,
  createPool,
  createTokenDirectory,
  listenForTokenChanges,
  migrate,
  openPepperRing,
  type DatabasePool,
  type TokenDirectory,
} from '@matsuri/database';
import { randomUUID } from 'node:crypto';
import { postgres } from '@matsuri/local';
import type { TokenStore } from '../src/ports';
import { PEPPER } from './program';

/** A migrated database, with the gateway's side of it: its directory of tokens and its ledger. */
export interface DatabaseStage {
  readonly url: string;
  readonly pool: DatabasePool;
  readonly tokens: TokenStore;
  readonly directory: TokenDirectory;
  /** One call that was made and paid for. */
  recordCall(call: {
    tenantId: string;
    userId: string;
    tokenId: string;
    costMicroUsd: number;
  }): Promise<void>;
  close(): Promise<void>;
}

export async function setDatabaseStage(): Promise<DatabaseStage> {
  const database = await postgres();
  await migrate(database.url);
  const connection = { url: database.url, applicationName: 'api-test' };
  const pool = createPool({ ...connection, maxConnections: 3 });
  const ring = openPepperRing([{ version: 1, secret: PEPPER }]);
  const repository = createApiTokenRepository(pool, ring);
  const changes = listenForTokenChanges(connection);
  const directory = createTokenDirectory({ repository, changes, ring });
  const ledger = createLedger({ pool });
  return {
    url: database.url,
    pool,
    tokens: repository,
    directory,
    async recordCall({ costMicroUsd, ...caller }) {
      const attemptId = randomUUID();
      const call = {
        attemptId,
        requestId: 'request',
        requestedModel: 'simple',
        servedModel: 'model-a',
      };
      const place = { region: 'ap-northeast-1', target: 'on-demand' };
      await ledger.reserve({ ...caller, ...call, ...place, reservedMicroUsd: costMicroUsd }, 5_000);
      await ledger.settle({
        attemptId,
        status: 'settled',
        outcome: 'completed',
        costMicroUsd,
        inputTokens: 100,
        outputTokens: 20,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        clientDisconnected: false,
      });
    },
    async close() {
      await ledger.close(1_000);
      await changes.close();
      await pool.close();
      await database.close();
    },
  };
}
