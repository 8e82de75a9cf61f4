import type { CommandOf, Envelope } from '../../domain/commands.ts';
import type { OfferTerms, Period } from '../../domain/offer.ts';
import { DEFAULT_TERMS } from '../../domain/rules/offers.ts';
import { DAY_MS, HOUR_MS } from '../../domain/rules/time.ts';
import type { Random } from './people.ts';

/** A claim that still lacks its envelope. */
export type ClaimCommand = Omit<CommandOf<'offer.claim'>, keyof Envelope>;

/** What members get from the bot; the shop sells the others. */
export const BY_BOT = ['daily', 'photo'];

const MEMBERS_PER_PIN = 40;

/** What the demo offers in the month that ends at `now`. */
export const inventOffers = (members: number, now: number): Map<string, OfferTerms> =>
  new Map(
    Object.entries({
      daily: {
        ...terms('Daily reward', '🎁', { gives: 10, times: 1, period: 'day' }),
        description: 'Come by every day: the more days in a row, the more you get.',
        streak: { bonus: [0, 2, 4, 6, 10], graceDays: 1 },
      },
      photo: {
        ...terms('Quest: photo of the week', '📷', { gives: 50, times: 1, period: 'week' }),
        description: 'Post a photo. Somebody looks at each of them.',
        delivery: 'manual',
      },
      stickers: terms('Sticker pack', '✨', { costs: 120 }),
      colour: { ...terms('Role colour', '🎨', { costs: 200 }), delivery: 'manual' },
      pin: {
        ...terms('Founders’ pin', '📌', { costs: 150, times: 1, period: 'ever' }),
        stock: Math.ceil(members / MEMBERS_PER_PIN),
      },
      raffle: {
        ...terms('Monthly raffle', '🎟️', { costs: 30, times: 10, period: 'ever' }),
        description: 'Up to ten tickets each.',
        // So that its winners can be drawn.
        closesAt: new Date(now - HOUR_MS).toISOString(),
      },
    } satisfies Record<string, OfferTerms>),
  );

interface Price {
  gives?: number;
  costs?: number;
  times?: number;
  period?: Period;
}

function terms(name: string, emoji: string, { gives, costs, times, period }: Price): OfferTerms {
  return {
    ...DEFAULT_TERMS,
    name,
    emoji,
    gives: gives === undefined ? {} : { points: gives },
    costs: costs === undefined ? {} : { points: costs },
    perMember: times === undefined || period === undefined ? null : { times, period },
  };
}

/** Picks claims that no offer refuses, by what was claimed before. */
export class Claiming {
  readonly #offers: [string, OfferTerms][];
  readonly #counts = new Map<string, number>();
  readonly #random: Random;

  constructor(offers: Map<string, OfferTerms>, random: Random) {
    this.#offers = [...offers];
    this.#random = random;
  }

  /** What a member claims then, and how many points that adds at least; null for nothing. */
  claim(memberId: string, balance: number, at: number): [ClaimCommand, number] | null {
    const [daily] = this.#offers;
    // Whoever comes, mostly comes for that.
    const isDaily = daily && this.#random.next() < 0.5;
    const [offerId, offer] = isDaily ? daily : this.#random.pick(this.#offers);
    const { gives, costs, perMember, stock, closesAt } = offer;
    const isClosed = closesAt !== null && at >= Date.parse(closesAt);
    const cost = costs.points ?? 0;
    const key = `${offerId} ${memberId} ${perMember && periodAt(at, perMember.period)}`;
    const [claimed, byMember] = [offerId, key].map((each) => this.#counts.get(each) ?? 0);
    const isOver = perMember !== null && (byMember ?? 0) >= perMember.times;
    const isSoldOut = stock !== null && (claimed ?? 0) >= stock;
    if (isClosed || cost > balance || isOver || isSoldOut) return null;
    for (const each of [offerId, key]) this.#counts.set(each, (this.#counts.get(each) ?? 0) + 1);
    const command = { type: 'offer.claim', offerId, memberId, quantity: 1 } as const;
    return [{ ...command, expectedCosts: null }, (gives.points ?? 0) - cost];
  }
}

/** The first day of the epoch was a Thursday, and weeks begin on Mondays. */
function periodAt(at: number, period: Period): number {
  const day = Math.floor(at / DAY_MS);
  return period === 'day' ? day : period === 'week' ? Math.floor((day + 3) / 7) : 0;
}
