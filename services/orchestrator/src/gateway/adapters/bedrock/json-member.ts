type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** A member of a foreign value, if the value is an object at all. */
export function member(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

/** A member that is a string, or nothing. */
export function stringMember(value: unknown, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** A member that is a count; zero where it is not. */
export function countMember(value: unknown, key: string): number {
  const found = member(value, key);
  return typeof found === 'number' && Number.isFinite(found) && found > 0 ? found : 0;
}

/** A member that is a list; empty where it is not. */
export function listMember(value: unknown, key: string): readonly unknown[] {
  const found = member(value, key);
  return Array.isArray(found) ? found : [];
}
