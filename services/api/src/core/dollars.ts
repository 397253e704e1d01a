/**
 * Money on the wire is a decimal text in US dollars, exact in every language; inside it is whole
 * micro-dollars, as in the ledger.
 */
const DECIMALS = 6;
const MICRO_USD_PER_DOLLAR = 10 ** DECIMALS;

/** At most a million dollars and six decimals: what a cap may be written as. */
export const DOLLARS_PATTERN = /^(?:1000000(?:\.0{1,6})?|\d{1,6}(?:\.\d{1,6})?)$/;

/** Reads a text that matches `DOLLARS_PATTERN`. */
export function microUsdOf(dollars: string): number {
  const [whole = '', fraction = ''] = dollars.split('.');
  return Number(whole) * MICRO_USD_PER_DOLLAR + Number(fraction.padEnd(DECIMALS, '0'));
}

/** Writes an amount with at least cents, and no more decimals than it has. */
export function dollarsOf(microUsd: number): string {
  const whole = Math.trunc(microUsd / MICRO_USD_PER_DOLLAR);
  const fraction = String(microUsd % MICRO_USD_PER_DOLLAR).padStart(DECIMALS, '0');
  return `${whole}.${fraction.replace(/0{1,4}$/, '')}`;
}
