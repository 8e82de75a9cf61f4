import fc from 'fast-check';

/** Few letters, so that names and searches meet, and every kind of character. */
const CHARACTERS = [
  'a',
  'A',
  'á',
  'b',
  'ß',
  'S',
  's',
  'ж',
  '1',
  '.',
  '_',
  ' ',
  ' ',
  '🐸',
  'ि',
  'ｂ',
];

export const nameText: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...CHARACTERS),
  minLength: 1,
  maxLength: 8,
});

const folded = (text: string): string =>
  Array.from(text.normalize('NFKD').toUpperCase())
    .filter((character) => !/[\u0300-\u036f]/.test(character))
    .join('');

const isIn = (character: string | undefined, class_: RegExp): boolean =>
  character !== undefined && class_.test(character);

/** Whether the term is in the name at the start of a word, looking at every character. */
function occurs(name: string, term: string): boolean {
  const characters = Array.from(folded(name));
  return characters.some((character, at) => {
    const previous = characters[at - 1];
    const startsChunk = previous === undefined || previous === ' ';
    const startsWord = isIn(character, /[\p{L}\p{N}]/u) && !isIn(previous, /[\p{L}\p{M}\p{N}]/u);
    return (startsChunk || startsWord) && characters.slice(at).join('').startsWith(term);
  });
}

/** What a search finds, by definition. */
export function naiveMatch(names: readonly (string | null)[], search: string): boolean {
  const terms = folded(search).split(' ').filter(Boolean);
  const isFound = (term: string) => names.some((name) => name !== null && occurs(name, term));
  return terms.length > 0 && terms.every(isFound);
}
