import { Fifo, type Linked } from './fifo';

/** A map that forgets what was used longest ago when it is full. */
export interface Lru<Key, Value> {
  /** Reading counts as use. */
  get(key: Key): Value | undefined;
  /** Returns what had to make room. */
  set(key: Key, value: Value): Value | undefined;
  delete(key: Key): void;
  readonly size: number;
}

interface Entry<Key, Value> extends Linked<Entry<Key, Value>> {
  readonly key: Key;
  value: Value;
}

/**
 * Creates an empty one. Order is kept apart from the map: one that is deleted from and added to with every use leaves
 * a trail of outgrown tables, and what these have held stays until the old generation is collected.
 */
export function createLru<Key, Value>(maxSize: number): Lru<Key, Value> {
  const entries = new Map<Key, Entry<Key, Value>>();
  const byUse = new Fifo<Entry<Key, Value>>();

  const use = (entry: Entry<Key, Value>): void => {
    byUse.remove(entry);
    byUse.push(entry);
  };
  const drop = (entry: Entry<Key, Value>): void => {
    entries.delete(entry.key);
    byUse.remove(entry);
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry) use(entry);
      return entry?.value;
    },
    set(key, value) {
      const known = entries.get(key);
      if (known) {
        known.value = value;
        use(known);
        return undefined;
      }
      const entry = { key, value, previous: undefined, next: undefined };
      entries.set(key, entry);
      byUse.push(entry);
      const oldest = byUse.first;
      if (entries.size <= maxSize || !oldest) return undefined;
      drop(oldest);
      return oldest.value;
    },
    delete(key) {
      const entry = entries.get(key);
      if (entry) drop(entry);
    },
    get size() {
      return entries.size;
    },
  };
}
