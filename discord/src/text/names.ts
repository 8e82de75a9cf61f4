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
export const isDiscordId = (id: string): boolean => /^\d{17,20}$/.test(id);

const segmenter = new Intl.Segmenter();

/** Cuts text where there is no room for more, between what people see as characters. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const ends = Array.from(segmenter.segment(text), ({ index }) => index);
  const end = ends.findLast((each) => each < most);
  return `${text.slice(0, end)}…`;
}
