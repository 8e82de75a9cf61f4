import type { Kind } from '@realmkeep/client';
import { escaped } from './names.ts';

const UNITS = Object.entries({ day: 86_400, hour: 3_600, minute: 60 });

export class Words {
  readonly kinds: readonly Kind[];
  readonly #past: Intl.RelativeTimeFormat;
  readonly #format: Intl.NumberFormat;
  readonly #list: Intl.ListFormat;

  constructor(kinds: readonly Kind[], locale: string) {
    this.kinds = kinds.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
    this.#past = new Intl.RelativeTimeFormat(locale, { style: 'short', numeric: 'auto' });
    this.#format = new Intl.NumberFormat(locale);
    this.#list = new Intl.ListFormat(locale);
  }

  number(value: number | bigint): string {
    return this.#format.format(value);
  }

  /** "50 points", "1 point", "3 ★", without formats. */
  plain(tokens: number | bigint, kindId: string): string {
    const kind = this.kinds.find(({ id }) => id === kindId);
    const unit = kind ? (kind.symbol ?? nameInSentence(kind)) : kindId;
    return `${this.number(tokens)} ${Number(tokens) === 1 ? unit.replace(PLURAL_S, '') : unit}`;
  }

  amount(tokens: number | bigint, kindId: string): string {
    return escaped(this.plain(tokens, kindId));
  }

  /** "50 points and 3 ★"; empty if there are none. */
  plainSum(amounts: Record<string, number | bigint>): string {
    return this.#list.format(Object.entries(amounts).map(([id, each]) => this.plain(each, id)));
  }

  sum(amounts: Record<string, number | bigint>): string {
    return escaped(this.plainSum(amounts));
  }

  /** How long ago an instant was, where Discord shows no instants; as seen from another one. */
  since(at: string, now: number): string {
    const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
    const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
    return this.#past.format(-Math.floor(seconds / length), unit as 'day');
  }

  /** " ×3"; nothing for one. */
  times(quantity: number): string {
    return quantity > 1 ? ` ×${this.number(quantity)}` : '';
  }
}

/** The one that English adds, as the service drops it from names of kinds. */
const PLURAL_S = /(?<=[a-z])(?<![aious]|ie)s$/;

/** A name that is one word has no capital inside a sentence. */
const nameInSentence = ({ name }: Kind): string =>
  /^[A-Z][a-z]+$/.test(name) ? name.toLowerCase() : name;

export const ago = (at: string): string => `<t:${Math.floor(Date.parse(at) / 1_000)}:R>`;
