import { parseAmount, readWhole } from './amounts.ts';
import { instantOf, localTime } from './local-time.ts';
import type { Amounts, PerMember, Terms } from './offers.ts';
import { type OrderedKind, splitAmount } from './sentence.ts';

/** An offer as it is typed. */
export type OfferForm = ReturnType<typeof offerForm>;

/** "500 + 1 gems": an amount without a name is of the default kind. */
const amountsText = (amounts: Amounts = {}, kinds: OrderedKind[]): string =>
  Object.entries(amounts)
    .map(([id, tokens]) =>
      kinds.find((one) => one.id === id)?.isDefault ? tokens : `${tokens} ${id}`,
    )
    .join(' + ');

export const offerForm = (offer: Terms | null, kinds: OrderedKind[]) => ({
  name: offer?.name ?? '',
  emoji: offer?.emoji ?? '',
  description: offer?.description ?? '',
  gives: amountsText(offer?.gives, kinds),
  costs: amountsText(offer?.costs, kinds),
  /** Empty for no limit. */
  period: offer?.perMember?.period ?? ('' as PerMember['period'] | ''),
  times: String(offer?.perMember?.times ?? 1),
  bonus: offer?.streak?.bonus.join(', ') ?? '',
  graceDays: String(offer?.streak?.graceDays ?? 0),
  stock: String(offer?.stock ?? ''),
  opensAt: localTime(offer?.opensAt ?? null),
  closesAt: localTime(offer?.closesAt ?? null),
  minimumBalance: amountsText(offer?.requires?.minimumBalance, kinds),
  /** The id of an offer; empty for none. */
  claimed: offer?.requires?.claimed ?? '',
  isManual: offer?.delivery === 'manual',
  isListed: offer?.isListed ?? true,
});

/** What was typed, as far as it can be understood; whether all of it can, and is enough. */
export function readOffer(form: OfferForm, kinds: OrderedKind[]) {
  const { period, claimed, isManual, isListed } = form;
  const read = new Reader(kinds);
  const minimumBalance = read.amounts(form.minimumBalance);
  const requires = {
    ...(Object.keys(minimumBalance).length > 0 && { minimumBalance }),
    ...(claimed !== '' && { claimed }),
  };
  const bonus = period === 'day' ? read.list(form.bonus) : [];
  const terms: Terms = {
    name: form.name.trim(),
    description: form.description.trim() || null,
    emoji: form.emoji.trim() || null,
    gives: read.amounts(form.gives),
    costs: read.amounts(form.costs),
    perMember: period === '' ? null : { times: read.count(form.times, 1), period },
    stock: form.stock.trim() === '' ? null : read.count(form.stock, 0),
    opensAt: instantOf(form.opensAt),
    closesAt: instantOf(form.closesAt),
    requires: Object.keys(requires).length > 0 ? requires : null,
    delivery: isManual ? 'manual' : 'none',
    streak: bonus.length > 0 ? { bonus, graceDays: read.count(form.graceDays, 0) } : null,
    isListed,
  };
  const grants = isManual || Object.keys({ ...terms.gives, ...terms.costs }).length > 0;
  return { terms, isComplete: read.isClear && terms.name !== '' && grants };
}

/** Why amounts that were typed are unclear. */
export function amountsFault(typed: string, kinds: OrderedKind[]): string | null {
  const read = new Reader(kinds);
  read.amounts(typed);
  return read.isClear ? null : 'It has to be a number, or numbers of point types: “500 + 1 gems”.';
}

/** Reads numbers, and remembers whether all of them were clear. */
class Reader {
  isClear = true;
  readonly #kinds: OrderedKind[];

  constructor(kinds: OrderedKind[]) {
    this.#kinds = kinds;
  }

  amounts(typed: string): Amounts {
    const amounts: Amounts = {};
    for (const part of typed.split(/[+;]/).filter((one) => one.trim() !== '')) {
      const { amount, kind } = splitAmount(part.trim(), this.#kinds);
      const tokens = parseAmount(amount);
      if (tokens === null || !kind || kind.id in amounts) this.isClear = false;
      else amounts[kind.id] = tokens;
    }
    return amounts;
  }

  /** A whole number from `least` on. */
  count(typed: string, least: number): number {
    const read = readWhole(typed);
    if ('value' in read && read.value >= least) return read.value;
    this.isClear = false;
    return least;
  }

  /** "0, 5, 10": separated by commas or spaces, so without separators inside. */
  list(typed: string): number[] {
    const parts = typed.split(/[\s,;]+/).filter(Boolean);
    return parts.map((part) => this.count(/^\d+$/.test(part) ? part : '', 0));
  }
}
