import type { CommandOf, Envelope } from '../../domain/commands.ts';
import { DAY_MS, HOUR_MS } from '../../domain/rules/time.ts';
import type { ClaimCommand, Claiming } from './offers.ts';
import type { Person, Random } from './people.ts';

/** A movement of points: a command that still lacks its envelope. */
export type Movement =
  | ClaimCommand
  | Omit<CommandOf<'points.change'>, keyof Envelope>
  | Omit<CommandOf<'points.transfer'>, keyof Envelope>;

/** What happens at one instant: members join, then points move. */
export interface Moment {
  at: number;
  joins: Person[];
  movements: Movement[];
}

const DAYS = 30;
const SLOT_MS = HOUR_MS;
const MOVEMENTS_EACH = 20;
/** More would only take longer: a million members are there to be searched. */
const MAX_MOVEMENTS = 200_000;
/** The share of members that exist from the start, as after an import. */
const FOUNDERS = 0.6;
/** By this share of the month all others have joined, so that everybody has some history. */
const LAST_JOIN = 0.85;

/** Activity by hour of the day (UTC): quiet at night, a peak in the evening. */
const RHYTHM = [
  3, 2, 1, 1, 1, 2, 4, 7, 10, 12, 12, 13, 15, 14, 13, 14, 16, 20, 25, 28, 26, 20, 13, 7,
];
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

/** The share of movements that are claims, if there is something to claim. */
const CLAIMED = 0.4;

/** A month that ends now. Balances are tracked, so that no movement is refused. */
export function inventHistory(
  people: Person[],
  claiming: Claiming,
  now: number,
  random: Random,
): Moment[] {
  const start = now - DAYS * DAY_MS;
  const weights = Array.from({ length: (DAYS * DAY_MS) / SLOT_MS }, (_, slot) =>
    busyness(start + slot * SLOT_MS),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const most = Math.min(people.length * MOVEMENTS_EACH, MAX_MOVEMENTS);
  const balances = new Map<string, number>();
  let reached = 0;
  let joined = 0;
  let moved = 0;
  return weights.flatMap((weight, slot) => {
    reached += weight / total;
    const joining = joinedAt(people.length, reached) - joined;
    const moving = Math.round(most * reached) - moved;
    if (joining + moving === 0) return [];
    const joins = people.slice(joined, joined + joining);
    joined += joining;
    moved += moving;
    const whoever = () => active(people, joined, random).memberId;
    const at = start + slot * SLOT_MS + random.between(0, SLOT_MS - 1);
    const movements = Array.from({ length: moving }, () => {
      const claimed = random.next() < CLAIMED && claim(whoever(), balances, claiming, at);
      return claimed || movement(whoever, balances, random);
    });
    return { at, joins, movements };
  });
}

const joinedAt = (count: number, reached: number): number =>
  Math.ceil(count * Math.min(1, FOUNDERS + ((1 - FOUNDERS) * reached) / LAST_JOIN));

function busyness(at: number): number {
  const date = new Date(at);
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  return (RHYTHM[date.getUTCHours()] ?? 0) * (isWeekend ? WEEKEND : 1);
}

function claim(
  memberId: string,
  balances: Map<string, number>,
  claiming: Claiming,
  at: number,
): Movement | null {
  const balance = balances.get(memberId) ?? 0;
  const [command, added] = claiming.claim(memberId, balance, at) ?? [null, 0];
  balances.set(memberId, balance + added);
  return command;
}

function movement(whoever: () => string, balances: Map<string, number>, random: Random): Movement {
  const [memberId, recipientId] = [whoever(), whoever()];
  const choice = random.next();
  const isTransfer = choice >= 0.8 && recipientId !== memberId;
  const move = (id: string, by: number) => balances.set(id, (balances.get(id) ?? 0) + by);
  const one = (reasons: readonly Reason[]) => {
    const [description, low, high] = random.pick(reasons);
    return { memberId, realmPointId: null, description, tokens: random.between(low, high) };
  };
  const cost = one(isTransfer ? GIVEN : SPENT);
  if (choice < 0.62 || cost.tokens > (balances.get(memberId) ?? 0)) {
    const reward = one(EARNED);
    move(memberId, reward.tokens);
    return { type: 'points.change', ...reward };
  }
  move(memberId, -cost.tokens);
  if (!isTransfer) return { type: 'points.change', ...cost, tokens: -cost.tokens };
  move(recipientId, cost.tokens);
  return { type: 'points.transfer', ...cost, recipientId };
}

/** One of those who have joined. As everywhere, a few members are the most active. */
const active = (people: readonly Person[], joined: number, random: Random): Person =>
  people[Math.floor(joined * random.next() ** 1.5)] as Person;
