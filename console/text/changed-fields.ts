/** The fields of `after` that `before` has otherwise. */
export const changedFields = <T extends object>(before: T, after: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(before[name as keyof T]) !== JSON.stringify(value),
    ),
  ) as Partial<T>;
