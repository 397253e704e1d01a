/** A document by name. The digest changes with what it says, and with the model that gives it its vector. */
export interface Keyed {
  readonly id: string;
  readonly digest: string;
}

/** What the index holds of a document, under an id that the index chose. */
export interface IndexEntry extends Keyed {
  readonly entryId: string;
}

/** What the table lacks of what ships, and what it still has that no longer ships. */
export interface TableChanges<R> {
  readonly write: readonly R[];
  readonly removeIds: readonly string[];
}

/** Only records that came with the platform are ever taken away: a shop's own stay. */
export function tableChanges<R extends Keyed>(
  shipped: readonly R[],
  stored: readonly (Keyed & { readonly shipped: boolean })[],
): TableChanges<R> {
  const digests = new Map(stored.map(({ id, digest }) => [id, digest]));
  const wanted = new Set(shipped.map(({ id }) => id));
  return {
    write: shipped.filter(({ id, digest }) => digests.get(id) !== digest),
    removeIds: stored.filter((it) => it.shipped && !wanted.has(it.id)).map(({ id }) => id),
  };
}

export interface IndexChanges<R> {
  readonly add: readonly R[];
  readonly removeEntryIds: readonly string[];
}

/**
 * What makes the index say what the table says. An index that chooses its own ids cannot overwrite: a changed document
 * is added anew, and its former entries go. Of entries that say the same, one stays.
 */
export function indexChanges<R extends Keyed>(
  records: readonly R[],
  indexed: readonly IndexEntry[],
): IndexChanges<R> {
  const missing = new Map(records.map((record) => [record.id, record]));
  const removeEntryIds: string[] = [];
  for (const { entryId, id, digest } of indexed) {
    if (missing.get(id)?.digest === digest) missing.delete(id);
    else removeEntryIds.push(entryId);
  }
  return { add: [...missing.values()], removeEntryIds };
}
