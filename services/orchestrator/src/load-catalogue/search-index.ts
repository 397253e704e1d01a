import { catalogueIndex, type CatalogueDocument } from '@matsuri/catalogue';
import { z } from 'zod';
import { SearchRefusedError, type OpenSearchConnection } from '../adapters/opensearch-connection';
import type { IndexEntry } from './core/changes';

interface NewEntry {
  readonly document: CatalogueDocument;
  readonly digest: string;
  readonly vector: readonly number[];
}

/** What can be searched of one tenant's catalogue. */
export interface SearchIndex {
  /** Nothing when the index is there already. */
  create(dimensions: number): Promise<void>;
  entries(): Promise<readonly IndexEntry[]>;
  change(add: readonly NewEntry[], removeEntryIds: readonly string[]): Promise<void>;
}

const PAGE = 1_000;
/** Vectors are long; a bulk request may have ten megabytes. */
const BULK_LINES = 100;

const page = z.object({
  hits: z.object({
    hits: z.array(
      z.object({
        _id: z.string(),
        _source: z.object({ id: z.string(), digest: z.string().default('') }),
      }),
    ),
  }),
});

const bulkReply = z.object({
  errors: z.boolean(),
  items: z.array(z.record(z.string(), z.object({ error: z.unknown().optional() }))),
});

export function searchIndex(connection: OpenSearchConnection, tenantId: string): SearchIndex {
  const ask = async (operation: string, body: string): Promise<unknown> => {
    const reply = await connection.send('POST', operation, body);
    if (reply.status === 200) return JSON.parse(reply.body.toString('utf8'));
    throw refused(operation, reply);
  };

  /** Entries from a document id on, in the order of ids. */
  const pageFrom = async (id: string): Promise<readonly IndexEntry[]> => {
    const found = await ask(
      '/_search',
      JSON.stringify({
        size: PAGE,
        query: {
          bool: { filter: [{ term: { tenant: tenantId } }, { range: { id: { gte: id } } }] },
        },
        sort: [{ id: 'asc' }],
        _source: ['id', 'digest'],
      }),
    );
    return page.parse(found).hits.hits.map(({ _id, _source }) => ({ entryId: _id, ..._source }));
  };

  return {
    async create(dimensions) {
      const reply = await connection.send('PUT', '', JSON.stringify(catalogueIndex(dimensions)));
      const isThere = reply.body.includes('resource_already_exists_exception');
      if (reply.status !== 200 && !isThere) throw refused('PUT', reply);
    },

    async entries() {
      const all = new Map<string, IndexEntry>();
      for (let from = ''; ;) {
        const found = await pageFrom(from);
        for (const entry of found) all.set(entry.entryId, entry);
        const last = found.at(-1)?.id;
        // The next page begins with the last id again: more entries of that document may follow.
        if (last === undefined || found.length < PAGE) return [...all.values()];
        if (last === from) throw new Error(`The index holds more than ${PAGE} entries of ${last}.`);
        from = last;
      }
    },

    async change(add, removeEntryIds) {
      const lines = [
        ...add.map(({ document, digest, vector }) => [
          { index: {} },
          { ...document, digest, vector },
        ]),
        // Last, so that a document that changes can be found at every moment.
        ...removeEntryIds.map((entryId) => [{ delete: { _id: entryId } }]),
      ];
      for (let at = 0; at < lines.length; at += BULK_LINES) {
        const some = lines.slice(at, at + BULK_LINES).flat();
        const reply = bulkReply.parse(
          await ask('/_bulk', some.map((line) => `${JSON.stringify(line)}\n`).join('')),
        );
        const failed = reply.items.flatMap((item) => Object.values(item)).find((it) => it.error);
        if (reply.errors) throw new Error(`A change was refused: ${JSON.stringify(failed?.error)}`);
      }
    },
  };
}

function refused(what: string, { status, body }: { status: number; body: Buffer }) {
  const said = body.toString('utf8').slice(0, 500);
  return new SearchRefusedError(status, `OpenSearch answered ${status} to ${what}: ${said}`);
}
