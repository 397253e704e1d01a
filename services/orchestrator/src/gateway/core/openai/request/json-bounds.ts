/** The most structure a caller's JSON may bring along; what serialises it later recurses. */
const MOST_DEPTH = 64;
const MOST_VALUES = 50_000;
const MOST_CHARACTERS = 1_048_576;

/**
 * Says why a JSON value cannot be passed on; undefined when it can. It stops at the first bound, so that a
 * hostile value costs no more than a large honest one.
 */
export function jsonFault(root: unknown): string | undefined {
  return new JsonWalk().visit(root, 0);
}

class JsonWalk {
  private values = 0;
  private characters = 0;

  visit(value: unknown, depth: number): string | undefined {
    if (typeof value === 'string') return this.read(value);
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth >= MOST_DEPTH) return `it is nested deeper than ${MOST_DEPTH} levels.`;
    return Array.isArray(value)
      ? this.visitMembers(value, depth)
      : (this.readKeys(value) ?? this.visitMembers(Object.values(value), depth));
  }

  private visitMembers(members: readonly unknown[], depth: number): string | undefined {
    this.values += members.length;
    if (this.values > MOST_VALUES) return `it has more than ${MOST_VALUES} values.`;
    for (const member of members) {
      const fault = this.visit(member, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  private readKeys(value: object): string | undefined {
    for (const key of Object.keys(value)) {
      const fault = this.read(key);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  private read(text: string): string | undefined {
    this.characters += text.length;
    if (this.characters > MOST_CHARACTERS) return `it has more than ${MOST_CHARACTERS} characters.`;
    return text.isWellFormed() ? undefined : 'it holds text that is not valid Unicode.';
  }
}
