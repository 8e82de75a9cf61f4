/**
 * Calls `load` at most once at a time and gives its result to every caller until it is `maxAgeMs`
 * old, so that however often it is asked for, it costs the same.
 */
export function shared<T>(load: () => Promise<T>, maxAgeMs: number): () => Promise<T> {
  let latest: Promise<T> | null = null;
  let expiresAt = 0;
  return () => {
    if (latest !== null && performance.now() < expiresAt) return latest;
    expiresAt = Number.POSITIVE_INFINITY;
    latest = load().finally(() => {
      expiresAt = performance.now() + maxAgeMs;
    });
    return latest;
  };
}
