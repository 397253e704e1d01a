const PATIENCE_MS = 5_000;

/** Waits until something is so; fails with what was seen last. */
export async function eventually<T>(look: () => T, isSo: (value: T) => boolean): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = look();
    if (isSo(value)) return value;
    if (performance.now() > giveUpAt) throw new Error(`never came true: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
