/** What JSON can say. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

export interface JsonObject {
  [member: string]: JsonValue;
}

export interface RedactLimits {
  /** Nesting shown; deeper objects are named, not shown. */
  readonly depth: number;
  /** Members shown of one object or list. */
  readonly items: number;
  /** Characters shown of one string. */
  readonly stringChars: number;
  readonly keyChars: number;
  /** Characters shown altogether, roughly: every member counts for a few. */
  readonly totalChars: number;
}

/** A whole line stays near 16 KiB, where line-buffering log drivers begin to split. */
export const REDACT_LIMITS: RedactLimits = {
  depth: 8,
  items: 64,
  stringChars: 4_096,
  keyChars: 128,
  totalChars: 14_000,
};

export interface RedactOptions {
  /**
   * Log prompts, messages and completions. For a developer's own machine; secrets stay hidden.
   *
   * @default false
   */
  readonly showPrompts?: boolean;
  /** @default REDACT_LIMITS */
  readonly limits?: Partial<RedactLimits>;
}

/** One pass over one value: what is still allowed, and where we are. */
export interface Walk {
  readonly showPrompts: boolean;
  readonly limits: RedactLimits;
  readonly ancestors: Set<object>;
  charsLeft: number;
}

export function startWalk(options: RedactOptions): Walk {
  const limits = { ...REDACT_LIMITS, ...options.limits };
  return {
    showPrompts: options.showPrompts ?? false,
    limits,
    ancestors: new Set(),
    charsLeft: limits.totalChars,
  };
}

/** Visits one object unless that would go round in a circle or too deep. */
export function enter(walk: Walk, value: object, visit: () => JsonValue): JsonValue {
  if (walk.ancestors.has(value)) return '[circular]';
  if (walk.ancestors.size >= walk.limits.depth) return '[too deep]';
  walk.ancestors.add(value);
  try {
    return visit();
  } finally {
    walk.ancestors.delete(value);
  }
}
