const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// Far below what fits into an index entry.
const MAX_TEXT_LENGTH = 500;

/**
 * The first field that PostgreSQL would refuse. One bad value would fail the whole batch it travels in, so
 * it is stopped before it joins one. Every number is money or a count of tokens.
 */
export function unwritableField(
  idField: string,
  fields: Readonly<Record<string, string | number | boolean | null>>,
): string | undefined {
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'string' && !isWritableText(value)) return name;
    if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0)) return name;
  }
  const id = fields[idField];
  return typeof id === 'string' && UUID.test(id) ? undefined : idField;
}

function isWritableText(text: string): boolean {
  return text.length <= MAX_TEXT_LENGTH && text.isWellFormed() && !text.includes('\0');
}
