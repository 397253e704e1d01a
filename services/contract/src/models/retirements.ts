/**
 * Announced ends of life, by the start of Bedrock's model id: they catch a model that an environment adds
 * without a date of its own.
 */
const KNOWN_RETIREMENTS: Readonly<Record<string, string>> = {
  'anthropic.claude-3-5-haiku': '2026-06-19',
  'anthropic.claude-3-sonnet': '2026-07-30',
  'anthropic.claude-3-5-sonnet': '2026-07-30',
  'anthropic.claude-3-haiku': '2026-09-10',
  'anthropic.claude-sonnet-4-20250514': '2026-10-14',
  'anthropic.claude-opus-4-1': '2027-01-08',
};

/** When calls to a model end: its own date, else the announced one, else unknown. */
export function endOfLifeOf(model: {
  readonly bedrockId: string;
  readonly lifecycle: { readonly endOfLifeOn?: string | undefined };
}): string | undefined {
  if (model.lifecycle.endOfLifeOn !== undefined) return model.lifecycle.endOfLifeOn;
  const known = Object.entries(KNOWN_RETIREMENTS);
  return known.find(([start]) => model.bedrockId.startsWith(start))?.[1];
}
