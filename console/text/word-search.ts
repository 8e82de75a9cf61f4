const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s/-]+/)
    .filter(Boolean);

/** Whether every word that was typed is the beginning of a word of the text. */
export function hasWords(text: string, typed: string): boolean {
  const words = wordsOf(text);
  return wordsOf(typed).every((start) => words.some((word) => word.startsWith(start)));
}
