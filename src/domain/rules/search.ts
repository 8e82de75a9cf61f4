/**
 * Folds a name for a case-insensitive search. To upper case, because a lower-case letter may depend
 * on its position in the word, as the Greek sigma does. Line feeds separate the names of a member,
 * so they are replaced within a name.
 */
export const foldForSearch = (text: string): string =>
  text.replaceAll('\n', '\u2028').toUpperCase();

export function searchText(names: readonly (string | null)[]): string {
  return names.map((name) => foldForSearch(name ?? '')).join('\n');
}
