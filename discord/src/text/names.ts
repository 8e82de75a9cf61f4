/** Invisible characters, and those that turn the direction of what follows. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164\u115f\u1160]/gu;
/** Joins emoji: part of what people see. */
const JOINER = '\u200d';

/** Text on one line without what cannot be seen. */
export const visible = (text: string): string =>
  text
    .replace(INVISIBLE, (character) => (character === JOINER ? character : ' '))
    .replace(/\s+/g, ' ')
    .trim();

/** Text that others wrote, as it was meant: without formats, links and mentions. */
export const escaped = (text: string): string =>
  visible(text)
    .replace(/[\\*_~`|[\]()<>@#:]/g, '\\$&')
    .replace(/^[-+]|^\d+(?=\.)/, (start) => (/\d/.test(start) ? `${start}\u2060` : `\\${start}`));

/** Inside a code block only its end has a meaning. */
export const inCode = (text: string): string => visible(text).replaceAll('`', 'ˋ');

export const mention = (userId: string): string => `<@${userId}>`;

const segmenter = new Intl.Segmenter();
const WIDE =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;

const widthOf = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : 1);

/** Cuts and fills text to a number of columns of a code block. */
export function column(text: string, width: number): string {
  let used = 0;
  let shown = '';
  const graphemes = Array.from(segmenter.segment(text), ({ segment }) => segment);
  const total = graphemes.reduce((sum, one) => sum + widthOf(one), 0);
  for (const one of graphemes) {
    const room = total > width ? width - 1 : width;
    if (used + widthOf(one) > room) break;
    shown += one;
    used += widthOf(one);
  }
  if (total > width) {
    shown += '…';
    used += 1;
  }
  return shown + ' '.repeat(width - used);
}

/** Cuts text where Discord would refuse it. */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const graphemes = Array.from(segmenter.segment(text), ({ segment }) => segment);
  let shown = '';
  for (const one of graphemes) {
    if (shown.length + one.length > most - 1) break;
    shown += one;
  }
  return `${shown}…`;
};
