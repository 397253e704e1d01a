const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/** How long to wait before the next try to connect; `drawn` is from [0, 1), so that a crowd does not return as one. */
export function backoffMs(failures: number, drawn: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(ceiling * (0.5 + drawn / 2));
}
