/**
 * Names come from strangers. Characters that reorder or hide text are shown by their code point, so
 * that a name cannot pose as another one.
 */
interface Piece {
  text: string;
  /** The piece is one such character; `text` is its code point. */
  hidden: boolean;
}

/** Controls, line breaks, whatever has no width of its own, and the blank Braille pattern. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
/** Chooses how the character before it is drawn. */
const VARIATION = /^[\ufe00-\ufe0f]$/u;
const JOINER = '\u200d';

export function visiblePieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const joins = isJoining(character, characters[index - 1], characters[index + 1]);
    if (HIDDEN.test(character) && !joins) {
      pieces.push({ text: codePoint(character), hidden: true });
      continue;
    }
    const last = pieces.at(-1);
    if (last && !last.hidden) last.text += character;
    else pieces.push({ text: character, hidden: false });
  }
  return pieces;
}

/** The same in one string, for places that take no markup. */
export const visibleText = (text: string): string =>
  visiblePieces(text)
    .map(({ text: piece, hidden }) => (hidden ? `[${piece}]` : piece))
    .join('');

/** The first letter or digit of a name, to know it by. */
export const initialOf = (text: string): string => {
  const [initial = '?'] = visibleText(text).replace(/^[^\p{L}\p{N}]+/u, '');
  return initial.toUpperCase();
};

/** Those of its first two words, which tell more people apart. */
export const initialsOf = (text: string): string => {
  const [first = '', second = ''] = visibleText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return second === '' ? initialOf(text) : (initialOf(first) + initialOf(second)).toUpperCase();
};

/** Whether it is part of an emoji such as 👩‍💻. */
const isJoining = (character: string, before = '', after = ''): boolean =>
  VARIATION.test(character)
    ? before !== '' && !HIDDEN.test(before)
    : character === JOINER && PICTURE.test(before) && PICTURE.test(after);

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
