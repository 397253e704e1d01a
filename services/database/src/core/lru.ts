/** A map that forgets what was used longest ago when it is full. */
export interface Lru<Key, Value> {
  /** Reading counts as use. */
  get(key: Key): Value | undefined;
  /** Returns what had to make room. */
  set(key: Key, value: Value): Value | undefined;
  delete(key: Key): void;
  readonly size: number;
}

/** Creates an empty one; a `Map` remembers the order of insertion, so each use reinserts. */
export function createLru<Key, Value>(maxSize: number): Lru<Key, Value> {
  const entries = new Map<Key, Value>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= maxSize) return undefined;
      const oldest = entries.entries().next().value;
      if (oldest === undefined) return undefined;
      entries.delete(oldest[0]);
      return oldest[1];
    },
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size;
    },
  };
}
