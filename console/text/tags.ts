/** The tags that were typed, separated by commas, each once. */
export const tagsIn = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[,;|]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];

/** A member's tags with some added or removed; null if that changes nothing. */
export function tagsAfter(
  before: readonly string[],
  tags: readonly string[],
  way: 'add' | 'remove',
): string[] | null {
  const after =
    way === 'add'
      ? [...new Set([...before, ...tags])]
      : before.filter((tag) => !tags.includes(tag));
  return after.length === before.length ? null : after;
}
