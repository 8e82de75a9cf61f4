/** Whole numbers as people write them, and what to say if it is unclear what they mean. */
type Whole = { value: number } | { fault: string };

/** How a language writes numbers: its digits, and what it separates groups of them by. */
interface Style {
  format: Intl.NumberFormat;
  digits: string[];
  group: string;
}

const styles = new Map<string | undefined, Style>();

function styleOf(locale: string | undefined): Style {
  const known = styles.get(locale);
  if (known) return known;
  const format = new Intl.NumberFormat(locale);
  const parts = format.formatToParts(1_234_567);
  const group = parts.find(({ type }) => type === 'group')?.value ?? '';
  const digits = Array.from({ length: 10 }, (_, digit) => format.format(digit));
  const style = { format, digits, group };
  styles.set(locale, style);
  return style;
}

/** One separator throughout, in front of three digits each time. */
const GROUPED = /^[1-9]\d{0,2}(?:([.,\s'’_٬])\d{3})(?:\1\d{3})*$/;

/** A whole number with the separators of the reader, or such as mean the same everywhere. */
export function readWhole(typed: string, locale?: string): Whole {
  const style = styleOf(locale);
  const text = latin(typed.trim(), style).replace(/^[−-]\s*/, '-');
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (!/^\d+$/.test(digits) && !isGrouped(digits, style)) return { fault: faultOf(digits, typed) };
  const value = Number(sign + digits.replaceAll(/\D/g, ''));
  return Number.isSafeInteger(value)
    ? { value: value + 0 }
    : { fault: `“${typed.trim()}” is too large.` };
}

/** An amount as it was typed; null if it is none. */
export function parseAmount(typed: string, locale?: string): number | null {
  const read = readWhole(typed, locale);
  return 'value' in read && read.value > 0 ? read.value : null;
}

/** Why what was typed is no amount; null if it is one, or nothing was typed. */
export function amountFault(typed: string, locale?: string): string | null {
  if (typed.trim() === '') return null;
  const read = readWhole(typed, locale);
  if ('fault' in read) return read.fault;
  return read.value > 0 ? null : 'It has to be at least 1.';
}

const latin = (text: string, { digits }: Style): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const value = digits.indexOf(digit);
    return value < 0 ? digit : String(value);
  });

function isGrouped(text: string, style: Style): boolean {
  const { format, group } = style;
  const [, separator] = GROUPED.exec(text) ?? [];
  // A point or a comma that comes twice, or is the reader's own, separates no fraction.
  if (separator) return !/[.,]/.test(separator) || separator === group || isTwice(text, separator);
  // Not every language has groups of three.
  const whole = group === '' ? text : text.replaceAll(group, '');
  return /^\d{1,16}$/.test(whole) && latin(format.format(BigInt(whole)), style) === text;
}

const isTwice = (text: string, separator: string): boolean => text.split(separator).length > 2;

function faultOf(digits: string, typed: string): string {
  const said = `“${typed.trim()}”`;
  if (GROUPED.test(digits)) {
    const [thousands, fraction] = [digits.replace(/[.,]/, ''), digits.replace(/[.,]/, '.')];
    return `${said} could be ${thousands} or ${Number(fraction)}. Leave out the separator.`;
  }
  if (/^\d*[.,]\d+$/.test(digits)) return `${said} is not whole: points have no fractions.`;
  return `${said} is not a whole number.`;
}
