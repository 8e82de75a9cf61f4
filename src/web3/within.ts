/** The result of the work, or the fallback if it fails or takes longer. */
export async function within<T>(ms: number, work: Promise<T>, fallback: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(resolve, ms, fallback);
  work.then(resolve, () => resolve(fallback));
  return promise.finally(() => clearTimeout(timer));
}
