import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { embeddingText, type CatalogueDocument } from '@matsuri/catalogue';
import type { CatalogueTable } from './catalogue-table';
import { indexChanges, tableChanges } from './core/changes';
import type { SearchIndex } from './search-index';

export interface LoadOptions {
  /** What ships, as one tenant's documents. */
  readonly shipped: readonly CatalogueDocument[];
  readonly table: CatalogueTable;
  readonly index: SearchIndex;
  readonly embed: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;
  /** What a document's vector depends on besides its words. */
  readonly embeddingModel: string;
  readonly dimensions: number;
  readonly onProgress: (line: string) => void;
}

export interface LoadReport {
  readonly documents: number;
  readonly written: number;
  readonly removed: number;
  readonly indexed: number;
  readonly unindexed: number;
}

const WRITTEN_AT_ONCE = 16;
const EMBEDDED_AT_ONCE = 50;
// A serverless collection shows what was written after a while, and says nothing when it does.
const VISIBLE_AFTER_TRIES = 30;
const VISIBLE_PAUSE_MS = 5_000;

/**
 * Brings the table up to what ships, then the index up to the table, a shop's own records included. What is the same
 * already is neither written nor embedded again; interrupted, it goes on where it was.
 */
export async function loadCatalogue(options: LoadOptions): Promise<LoadReport> {
  const { table, index, onProgress } = options;
  const keyed = (document: CatalogueDocument) => ({
    id: document.id,
    digest: digestOf(document, options.embeddingModel),
    document,
  });

  const stored = (await table.read()).map((it) => ({ ...keyed(it.document), ...it }));
  const { write, removeIds } = tableChanges(options.shipped.map(keyed), stored);
  for (let at = 0; at < write.length; at += WRITTEN_AT_ONCE) {
    const some = write.slice(at, at + WRITTEN_AT_ONCE);
    await Promise.all(some.map(({ document }) => table.writeShipped(document)));
  }
  for (const id of removeIds) await table.remove(id);
  onProgress(`table: ${write.length} written, ${removeIds.length} removed`);

  await index.create(options.dimensions);
  const records = (await table.read()).map(({ document }) => keyed(document));
  const { add, removeEntryIds } = indexChanges(records, await index.entries());
  for (let at = 0; at < add.length; at += EMBEDDED_AT_ONCE) {
    const some = add.slice(at, at + EMBEDDED_AT_ONCE);
    const vectors = await options.embed(some.map(({ document }) => embeddingText(document)));
    await index.change(
      some.map((it, n) => ({ ...it, vector: vectors[n] ?? [] })),
      [],
    );
    onProgress(`index: ${at + some.length} of ${add.length} embedded and added`);
  }
  await index.change([], removeEntryIds);

  if (add.length + removeEntryIds.length > 0) await untilVisible(index, records);
  return {
    documents: records.length,
    written: write.length,
    removed: removeIds.length,
    indexed: add.length,
    unindexed: removeEntryIds.length,
  };
}

/** Loaded means that it can be found: whoever is deployed next relies on it. */
async function untilVisible(
  index: SearchIndex,
  records: Parameters<typeof indexChanges>[0],
): Promise<void> {
  for (let tries = 1; tries <= VISIBLE_AFTER_TRIES; tries += 1) {
    const { add, removeEntryIds } = indexChanges(records, await index.entries());
    if (add.length + removeEntryIds.length === 0) return;
    await delay(VISIBLE_PAUSE_MS);
  }
  throw new Error(
    'The index does not show what was written to it. Run this again; if it stays so, look at the collection’s health.',
  );
}

function digestOf(document: CatalogueDocument, embeddingModel: string): string {
  const sorted = Object.entries(document).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([embeddingModel, sorted]))
    .digest('hex');
}
