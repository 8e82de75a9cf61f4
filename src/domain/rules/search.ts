/**
 * How names are found: in any case, and each by itself. Capitals, because a small letter may depend
 * on its place in the word (the Greek sigma does). A line break is folded into another, so that the
 * one between the names of a member is in neither of them, nor in what is looked for.
 */
export const foldForSearch = (text: string): string =>
  text.replaceAll('\n', '\u2028').toUpperCase();

export function searchText(names: readonly (string | null)[]): string {
  return names.map((name) => foldForSearch(name ?? '')).join('\n');
}
