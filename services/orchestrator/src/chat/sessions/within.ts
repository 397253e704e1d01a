/** How long anybody waits for Redis before going on without it: one that hangs must not hang a chat. */
const PATIENCE_MS = 500;

/** What was asked of Redis; rejects when it does not come in time. */
export async function within<T>(asked: Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Redis did not answer in time')), patienceMs);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
