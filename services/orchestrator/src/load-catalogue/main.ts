/** One-off: the catalogue that ships, into the table and the search index, before a service is updated. */
import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { catalogueDocuments, loadCatalogue as shippedCatalogue } from '@matsuri/catalogue';
import {
  loadCatalogueEnvironment,
  loadCatalogueSecrets,
  loadEnvironment,
  modelOfProfile,
  residenciesOf,
} from '@matsuri/contract';
import { databaseUrl, inLockedSession } from '@matsuri/database';
import { connectOpenSearch } from '../adapters/opensearch-connection';
import { embeddingTarget } from '../chat/answering/core/embedding-target';
import { createBedrockCaller } from '../gateway/adapters/bedrock/bedrock-caller';
import { catalogueTable } from './catalogue-table';
import { loadCatalogue } from './load-catalogue';
import { searchIndex } from './search-index';

const environment = loadCatalogueEnvironment.extend(loadCatalogueSecrets.shape);
// Its own: the ledger's sweep has the number before it.
const LOCK_KEY = 7_233_118_503;

async function main(): Promise<void> {
  const env = loadEnvironment(environment, process.env);
  const { models, pools, product, tenants } = env.PLATFORM_OVERRIDES;
  // The shop the platform ships configured for is its first tenant.
  const tenantId = product.name;
  const target = embeddingTarget(models, residenciesOf(tenants, tenantId));
  if (!target) {
    throw new Error(
      `The alias embed names no target for ${tenantId}: give it one in models.aliases.`,
    );
  }
  const model = modelOfProfile(models, target.profile);
  const credentials = defaultProvider();
  const endpoint = env.AWS_ENDPOINT_URL_BEDROCK_RUNTIME ?? env.AWS_ENDPOINT_URL;
  const bedrock = createBedrockCaller({
    catalogue: models,
    credentials,
    connections: pools.perTask.bedrock,
    endpoint,
  });
  const dynamodb = new DynamoDBClient({ region: env.AWS_REGION, credentials });
  const connection = connectOpenSearch({
    url: env.OPENSEARCH_URL,
    index: env.OPENSEARCH_INDEX,
    region: env.AWS_REGION,
    credentials,
    pool: pools.perTask.opensearch,
  });
  try {
    const report = await inLockedSession(
      databaseUrl(env.DATABASE_URL, env.DATABASE_USER, env.DATABASE_PASSWORD),
      { applicationName: 'matsuri-load-catalogue', lockKey: LOCK_KEY },
      () =>
        loadCatalogue({
          shipped: catalogueDocuments(shippedCatalogue(), tenantId),
          table: catalogueTable(dynamodb, env.CATALOGUE_TABLE, tenantId),
          index: searchIndex(connection, tenantId),
          embed: async (texts) => {
            const options = { attemptId: randomUUID(), signal: new AbortController().signal };
            return (await bedrock.embed(target, texts, options)).vectors;
          },
          embeddingModel: target.profile,
          dimensions: model?.dimensions ?? 0,
          onProgress: say,
        }),
    );
    say(
      `${report.documents} documents can be found; table: ${report.written} written, ${report.removed} removed; ` +
        `index: ${report.indexed} added, ${report.unindexed} removed`,
    );
  } finally {
    await Promise.all([bedrock.close(), connection.close()]);
    dynamodb.destroy();
  }
}

function say(line: string): void {
  process.stdout.write(`Catalogue: ${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(
    `The catalogue was not loaded: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
