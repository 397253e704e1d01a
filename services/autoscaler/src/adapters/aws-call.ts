// Far above what a healthy call takes, far below a cycle: a hung one costs one reading, not the loop.
const CALL_TIMEOUT_MS = 5_000;

/** Bounds one call to AWS, retries included. */
export function inTime(): { readonly abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(CALL_TIMEOUT_MS) };
}

export function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
