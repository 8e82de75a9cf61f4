import type { Kind } from '@realmkeep/client';
import { escaped } from './names.ts';

/** Kinds of points by id, the default one first. */
export class Kinds {
  readonly all: readonly Kind[];

  constructor(kinds: readonly Kind[]) {
    this.all = kinds.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
  }

  /** The kind of an option; the default one if none was named. */
  named(id: unknown): Kind | undefined {
    if (id === undefined || id === '') return this.all[0];
    return this.all.find((kind) => kind.id === id);
  }

  /** "50 points", "1 point", "3 ★". */
  amount(tokens: number | bigint, kindId: string, locale: string): string {
    const kind = this.named(kindId);
    const unit = kind ? (kind.symbol ?? nameInSentence(kind)) : kindId;
    const shown = tokens === 1 && unit === 'points' ? 'point' : unit;
    return `${number(tokens, locale)} ${escaped(shown)}`;
  }

  /** "50 points and 3 ★"; empty if there are none. */
  amounts(amounts: Record<string, number>, locale: string, times = 1): string {
    const parts = Object.entries(amounts).map(([id, each]) =>
      this.amount(each * times, id, locale),
    );
    return new Intl.ListFormat(locale).format(parts);
  }
}

/** A name that is one word has no capital inside a sentence. */
const nameInSentence = ({ name }: Kind): string =>
  /^[A-Z][a-z]+$/.test(name) ? name.toLowerCase() : name;

const formats = new Map<string, Intl.NumberFormat>();

/** A number as people of the locale write it. */
export function number(value: number | bigint, locale: string): string {
  let format = formats.get(locale);
  if (!format) {
    format = new Intl.NumberFormat(locale);
    formats.set(locale, format);
  }
  return format.format(value);
}

/** An instant that Discord shows in the reader's time zone. */
export const timestamp = (at: string, style: 'R' | 'd' | 'f'): string =>
  `<t:${Math.floor(Date.parse(at) / 1_000)}:${style}>`;
