const LONGEST_SHOWN = 100;

/** A caller's value as it may stand in a message: short, and valid Unicode even where it was cut. */
export function shown(value: string | number | boolean, longest = LONGEST_SHOWN): string {
  const text = String(value);
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.toWellFormed();
}
