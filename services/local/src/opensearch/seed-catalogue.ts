import {
  catalogueDocuments,
  catalogueIndex,
  embeddingText,
  loadCatalogue,
  type CatalogueDocument,
} from '@matsuri/catalogue';
import { z } from 'zod';

import type { ClusterKind } from './cluster';

export interface SeedCatalogueOptions {
  /** Where OpenSearch answers. */
  readonly url: string;
  readonly index: string;
  readonly tenant: string;
  readonly embed: (text: string) => Promise<readonly number[]>;
  /** A vector collection gives documents ids of its own. @default 'domain' */
  readonly kind?: ClusterKind;
}

/** Writes the catalogue as a tenant's documents, with the index when it is not there; answers how many. */
export async function seedCatalogue(options: SeedCatalogueOptions): Promise<number> {
  const documents = catalogueDocuments(loadCatalogue(), options.tenant);
  const vectors = await embedAll(documents, options.embed);
  await createIndexOnce(options, vectors[0]?.length ?? 0);
  const lines = documents.flatMap((document, at) => [
    JSON.stringify({ index: options.kind === 'vector-collection' ? {} : { _id: idOf(document) } }),
    JSON.stringify({ ...document, vector: vectors[at] }),
  ]);
  await bulk(options, `${lines.join('\n')}\n`);
  return documents.length;
}

/** Tenants share an index, so the id of a document begins with its tenant. */
function idOf({ tenant, id }: Pick<CatalogueDocument, 'tenant' | 'id'>): string {
  return `${tenant}:${id}`;
}

const EMBEDDINGS_AT_ONCE = 8;

async function embedAll(
  documents: readonly CatalogueDocument[],
  embed: SeedCatalogueOptions['embed'],
): Promise<readonly (readonly number[])[]> {
  const vectors: (readonly number[])[] = [];
  for (let at = 0; at < documents.length; at += EMBEDDINGS_AT_ONCE) {
    const group = documents.slice(at, at + EMBEDDINGS_AT_ONCE);
    vectors.push(...(await Promise.all(group.map((each) => embed(embeddingText(each))))));
  }
  return vectors;
}

async function createIndexOnce({ url, index }: SeedCatalogueOptions, dimension: number) {
  const response = await fetch(`${url}/${index}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(catalogueIndex(dimension)),
  });
  const answer = await response.text();
  if (response.ok || answer.includes('resource_already_exists_exception')) return;
  throw new Error(`Could not create the index ${index}: ${response.status} ${answer}`);
}

const bulkAnswer = z.object({
  errors: z.boolean(),
  items: z.array(z.record(z.string(), z.object({ error: z.unknown().optional() }))),
});

async function bulk({ url, index }: SeedCatalogueOptions, body: string): Promise<void> {
  const response = await fetch(`${url}/${index}/_bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  });
  if (!response.ok)
    throw new Error(`Bulk load failed: ${response.status} ${await response.text()}`);
  const { errors, items } = bulkAnswer.parse(await response.json());
  if (!errors) return;
  const refused = items.flatMap((item) => Object.values(item)).find(({ error }) => error);
  throw new Error(`Bulk load was refused in part: ${JSON.stringify(refused?.error)}`);
}
