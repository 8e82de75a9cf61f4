/** The known name that is probably meant, if any. */
export const meantBy = (name: string, known: readonly string[]): string | undefined =>
  known.find((one) => isMisspelt(name, one));

/** Whether the letters are nearly those of the other, wherever its words are separated. */
function isMisspelt(name: string, known: string): boolean {
  const [typed, meant] = [lettersOf(name), lettersOf(known)];
  const isSwapped = typed.toSorted().join('') === meant.toSorted().join('');
  return isSwapped || changesBetween(typed, meant) <= (meant.length > 5 ? 2 : 1);
}

const lettersOf = (name: string): string[] => [...name.toUpperCase().replaceAll(/[^A-Z]/g, '')];

/** The fewest letters to add, remove or replace. */
function changesBetween(from: readonly string[], to: readonly string[]): number {
  let row = [...to.keys(), to.length];
  for (const [index, letter] of from.entries()) {
    const next = [index + 1];
    for (const [at, other] of to.entries()) {
      const replaced = (row[at] as number) + Number(letter !== other);
      next.push(Math.min(replaced, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
