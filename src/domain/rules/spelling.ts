/** No known name is as long, and half a megabyte would be compared for seconds. */
const MAX_LENGTH = 64;

/** The known name that is probably meant, if any. */
export function meantBy(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const typed = lettersOf(name);
  return (
    known.find((one) => `${lettersOf(one)}` === `${typed}`) ??
    known.find((one) => isMisspelt(typed, lettersOf(one)))
  );
}

/** Whether the letters are nearly those of the other, wherever its words are separated. */
function isMisspelt(typed: readonly string[], meant: readonly string[]): boolean {
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
