/** Invisible characters, and those that turn the direction of what follows; emoji keep theirs. */
const INVISIBLE = /(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164\u115f\u1160]/gu;

/** Text on one line without what cannot be seen. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();

/** Text that others wrote, as it was meant: without formats, links and mentions. */
export const escaped = (text: string): string =>
  visible(text)
    .replace(/[\\*_~`|[\]()<>@#:]/g, '\\$&')
    .replace(/^([-+]|\d+(?=\. ))/, '\u2060$1');

/** Inside a code block only its end has a meaning. */
export const inCode = (text: string): string => visible(text).replaceAll('`', 'ˋ');

export const mention = (userId: string): string => `<@${userId}>`;

const segmenter = new Intl.Segmenter();
const charactersOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

const WIDE =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
const columnsOf = (character: string): number => (WIDE.test(character) ? 2 : 1);

/** As many characters as there is room for, by a measure; an ellipsis if they are not all. */
function fitting(text: string, room: number, sizeOf: (character: string) => number): string {
  const characters = charactersOf(text);
  if (characters.reduce((sum, one) => sum + sizeOf(one), 0) <= room) return text;
  let left = room - 1;
  const rest = characters.findIndex((one) => {
    left -= sizeOf(one);
    return left < 0;
  });
  return `${characters.slice(0, rest).join('')}…`;
}

/** Cuts text where Discord would refuse it. */
export const cut = (text: string, most: number): string =>
  fitting(text, most, (character) => character.length);

/** Cuts and fills text to a number of columns of a code block. */
export function column(text: string, width: number): string {
  const shown = fitting(text, width, columnsOf);
  const used = charactersOf(shown).reduce((sum, one) => sum + columnsOf(one), 0);
  return shown + ' '.repeat(Math.max(0, width - used));
}
