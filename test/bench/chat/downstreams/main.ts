/** Every downstream of the chat but Redis and PostgreSQL, in one process, at its documented latency. */
import { MODEL_CATALOGUE } from '@matsuri/contract';
import {
  createTables,
  DEFAULT_MODELS,
  embedText,
  INTENT_ENDPOINT,
  seedCatalogue,
  startBedrockStandIn,
  startDynamodb,
  startFaultProxy,
  startOpenSearchStandIn,
  startSageMakerStandIn,
  type ModelOptions,
} from '@matsuri/local';

import {
  DELTA_MS,
  DELTAS,
  EMBEDDING_MS,
  FIRST_TOKEN_MS,
  HISTORY_MS,
  INTENT_MS,
  RETRIEVAL_MS,
} from '../plan';

const [region = '', tenant = '', index = ''] = process.argv.slice(2);
const EMBEDDING_DIMENSIONS = 1_024;
const LEDGER_ENTRIES = 200;

function models(): readonly ModelOptions[] {
  const text = { firstTokenMs: FIRST_TOKEN_MS, tokensPerSecond: 1_000 / DELTA_MS };
  const embedding = { firstTokenMs: EMBEDDING_MS, tokensPerSecond: 1_000 };
  const known = new Set(DEFAULT_MODELS.map(({ id }) => id));
  const [first] = DEFAULT_MODELS;
  const missing = Object.keys(MODEL_CATALOGUE.profiles).filter((id) => !known.has(id));
  const all = [...DEFAULT_MODELS, ...missing.flatMap((id) => (first ? [{ ...first, id }] : []))];
  return all.map((model) => ({ ...model, pacing: model.family === 'text' ? text : embedding }));
}

async function main(): Promise<void> {
  const dynamodb = await startDynamodb();
  await createTables(dynamodb.url, region);
  const link = await startFaultProxy({ upstream: { host: '127.0.0.1', port: dynamodb.port } });
  link.add({ type: 'latency', latencyMs: HISTORY_MS, direction: 'downstream' });
  const bedrock = await startBedrockStandIn({
    models: [...models()],
    answerTokens: DELTAS,
    ledgerLimit: LEDGER_ENTRIES,
  });
  const sagemaker = await startSageMakerStandIn({ latencyMs: INTENT_MS });
  const opensearch = await startOpenSearchStandIn({ kind: 'vector-collection', latencyMs: 0 });
  await seedCatalogue({
    url: opensearch.url,
    index,
    tenant,
    kind: 'vector-collection',
    embed: (text) => Promise.resolve(embedText(text, EMBEDDING_DIMENSIONS)),
  });
  opensearch.conduct.configure({ latencyMs: RETRIEVAL_MS });
  const ready = {
    bedrock: bedrock.url,
    sagemaker: sagemaker.url,
    opensearch: opensearch.url,
    dynamodb: link.through(dynamodb.url),
    intentEndpoint: INTENT_ENDPOINT,
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'failed'}\n`);
  process.exit(1);
});
