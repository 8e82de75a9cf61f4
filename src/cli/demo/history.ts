import type { CommandOf, Envelope } from '../../domain/commands.ts';
import type { OfferTerms, Period } from '../../domain/offer.ts';
import { DEFAULT_TERMS } from '../../domain/rules/offers.ts';
import { DAY_MS, HOUR_MS } from '../../domain/rules/time.ts';
import type { Person, Random } from './people.ts';

/** A movement of points: a command that still lacks its envelope. */
export type Movement =
  | Omit<CommandOf<'offer.claim'>, keyof Envelope>
  | Omit<CommandOf<'points.change'>, keyof Envelope>
  | Omit<CommandOf<'points.transfer'>, keyof Envelope>;

/** What a member tries, and earns instead if the rules refuse it, for lack of points or stock. */
interface Attempt {
  movement: Movement;
  otherwise: Movement;
}

/** What happens at one instant: members join, then points move. */
export interface Moment {
  at: number;
  joins: Person[];
  attempts: Attempt[];
}

const DAYS = 30;
const MOVEMENTS_EACH = 20;
/** More would only take longer: a million members are there to be searched. */
const MAX_MOVEMENTS = 200_000;
/** The share of members that exist from the start, as after an import. */
const FOUNDERS = 0.6;
/** By this share of the month all others have joined, so that everybody has some history. */
const LAST_JOIN = 0.85;

/** How much more happens at a weekend than on other days. */
const WEEKEND = 1.35;

/** Why points move, and how many: from the first number to the second. */
type Reason = [string | null, number, number];

const EARNED: Reason[] = [
  ['Quest: welcome a newcomer', 25, 25],
  ['Quest: weekly quiz', 40, 120],
  ['Answered a question', 15, 40],
  ['Community call attended', 100, 100],
  ['Bug report', 75, 300],
  ['Translation', 120, 400],
  ['Invited a friend', 75, 75],
  ['Game night prize', 200, 600],
];
const SPENT: Reason[] = [
  ['Lost to the house', 30, 90],
  ['Sent to the charity drive', 100, 400],
  ['Tournament entry', 50, 50],
];
const GIVEN: Reason[] = [
  ['Thanks for the help', 5, 50],
  ['Tip for the stream', 10, 100],
  ['Lost a bet', 20, 80],
  ['Happy birthday', 25, 75],
  ['Group quest share', 15, 60],
  [null, 5, 40],
];

/** The share of movements that are claims, and of these, what most members come for. */
const CLAIMED = 0.4;
const DAILY = 0.5;

/** A month that ends now. */
export function inventHistory(
  people: Person[],
  offerIds: readonly string[],
  now: number,
  random: Random,
): Moment[] {
  const start = now - DAYS * DAY_MS;
  const hours = Array.from({ length: DAYS * 24 }, (_, hour) => start + hour * HOUR_MS);
  const weights = hours.map((hour) => ([0, 6].includes(new Date(hour).getUTCDay()) ? WEEKEND : 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const most = Math.min(people.length * MOVEMENTS_EACH, MAX_MOVEMENTS);
  let reached = 0;
  let joined = 0;
  let moved = 0;
  return hours.flatMap((hour, index) => {
    reached += (weights[index] ?? 0) / total;
    const joining = joinedAt(people.length, reached) - joined;
    const moving = Math.round(most * reached) - moved;
    if (joining + moving === 0) return [];
    const joins = people.slice(joined, joined + joining);
    joined += joining;
    moved += moving;
    const whoever = () => active(people, joined, random).memberId;
    const at = hour + random.between(0, HOUR_MS - 1);
    const attempts = Array.from({ length: moving }, () => attempt(whoever, offerIds, random));
    return { at, joins, attempts };
  });
}

const joinedAt = (count: number, reached: number): number =>
  Math.ceil(count * Math.min(1, FOUNDERS + ((1 - FOUNDERS) * reached) / LAST_JOIN));

function attempt(whoever: () => string, offerIds: readonly string[], random: Random): Attempt {
  const [memberId, recipientId] = [whoever(), whoever()];
  const one = (reasons: readonly Reason[]) => {
    const [description, low, high] = random.pick(reasons);
    return { memberId, realmPointId: null, description, tokens: random.between(low, high) };
  };
  const otherwise = { type: 'points.change', ...one(EARNED) } as const;
  const movement = (): Movement => {
    if (random.next() < CLAIMED) {
      const offerId = random.next() < DAILY ? 'daily' : random.pick(offerIds);
      return { type: 'offer.claim', offerId, memberId, quantity: 1, expectedCosts: null };
    }
    const choice = random.next();
    if (choice < 0.62) return otherwise;
    if (choice >= 0.8 && recipientId !== memberId) {
      return { type: 'points.transfer', ...one(GIVEN), recipientId };
    }
    const { tokens, ...spent } = one(SPENT);
    return { type: 'points.change', ...spent, tokens: -tokens };
  };
  return { movement: movement(), otherwise };
}

/** One of those who have joined. As everywhere, a few members are the most active. */
const active = (people: readonly Person[], joined: number, random: Random): Person =>
  people[Math.floor(joined * random.next() ** 1.5)] as Person;

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
