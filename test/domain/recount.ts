import { sumOf } from '../../src/domain/model.ts';
import type { MovementType } from '../../src/domain/movements.ts';
import { wholeData } from '../../src/domain/records.ts';
import type { JournalRecord } from '../../src/domain/rules/journal.ts';
import { BUCKET_WIDTHS, bucketKey, bucketOf } from '../../src/domain/rules/leaderboards.ts';
import { type Names, wordChanges } from '../../src/domain/rules/search.ts';

/** A payload, of whatever type. */
interface Data {
  id: string;
  points: { id: string }[];
  memberId: string;
  recipientId?: string;
  realmPointId: string;
  tokens: number;
  reversedType: string;
  occurredAt?: string;
  reason?: string;
  reference?: string;
  gave: Record<string, number>;
  cost: Record<string, number>;
  balances: Record<string, number>;
}

interface Present {
  names: Names;
  /** Of the kinds that there were when the member joined, and those that have moved since. */
  balances: Map<string, { balance: number; movedAt: number | null; activeDay: number | null }>;
  /** In which it was active, in order. */
  days: number[];
}

/** Whether what was given is added to the balance of its member. */
const CLAIMS = { 'offer.claimed': 1, 'claim.rejected': -1 };

/** Whether a movement adds to the balance of its member. */
const SIGNS: Record<Exclude<MovementType, 'points.reversed' | keyof typeof CLAIMS>, 1 | -1> = {
  'points.opened': 1,
  'points.added': 1,
  'points.subtracted': -1,
  'points.transferred': -1,
  'points.captured': -1,
};
const TOTALS: Record<string, string> = {
  'points.opened': 'opened',
  'points.added': 'issued',
  'points.subtracted': 'spent',
  'points.captured': 'spent',
};

const DAY_MS = 86_400_000;
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The first days of the day, the week, which starts on Monday, and the month of an instant. */
function windowsOf(at: number): [window: string, first: string][] {
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return [
    ['day', dateOf(at)],
    ['week', dateOf(at - sinceMonday * DAY_MS)],
    ['month', `${dateOf(at).slice(0, 7)}-01`],
  ];
}

type Ended = [memberId: string, seq: number, first: string, score: bigint];

const NO_POINTS = { balance: 0, movedAt: null, activeDay: null };

/** Everything that follows from a journal, counted from its beginning in the plainest way. */
export class Recount {
  readonly entries: string[] = [];
  readonly movements: string[] = [];
  /** Of the realm, as the member 0, and of members. */
  readonly references: string[] = [];
  readonly activeMembers: Record<string, number> = {};
  /** What members had earned in weeks and months that were over when they earned again or left. */
  readonly pastScores: string[] = [];
  /** The days in which each member was active, from when it joined until it left. */
  readonly lives = new Set<number[]>();
  readonly #kinds: string[] = [];
  readonly #members = new Map<string, Present>();
  /** By member and kind, then by window, with its first day. */
  readonly #scores = new Map<string, Map<string, [first: string, score: bigint]>>();
  readonly #days = new Map<string, Record<string, number | bigint>>();

  constructor(records: readonly JournalRecord[]) {
    for (const record of records) {
      const data = JSON.parse(wholeData(record)) as Data;
      const at = data.occurredAt ? Date.parse(data.occurredAt) : record.at;
      this.#count(record.type, data, at);
      this.#add(record, data, at);
    }
  }

  get balances(): Record<string, object> {
    const rows = [...this.#members].flatMap(([memberId, { balances }]) =>
      [...balances].map(([kind, row]) => [`${memberId}:${kind}`, row]),
    );
    return Object.fromEntries(rows);
  }

  get scores(): Record<string, string> {
    const rows = Array.from(this.#scores, ([key, windows]) => {
      return [key, [...windows.values()].map((one) => one.join(' ')).join(' ')];
    });
    return Object.fromEntries(rows);
  }

  /** Who joined before there was a kind counts as 0. */
  get buckets(): Record<string, number> {
    const counts: Record<string, number> = {};
    const count = (leaderboard: string, score: number | bigint): void => {
      for (const width of BUCKET_WIDTHS) {
        const key = bucketKey({
          leaderboard,
          width,
          bucket: bucketOf(sumOf(BigInt(score)), width),
        });
        counts[key] = (counts[key] ?? 0) + 1;
      }
    };
    for (const { balances } of this.#members.values()) {
      for (const kind of this.#kinds) count(kind, balances.get(kind)?.balance ?? 0);
    }
    for (const [key, windows] of this.#scores) {
      const kind = key.slice(key.indexOf(':') + 1);
      for (const [window, [first, score]] of windows) count(`${kind}@${window}:${first}`, score);
    }
    for (const one of this.pastScores) {
      const [leaderboard = '', , , score = ''] = one.split(' ');
      count(leaderboard, BigInt(score));
    }
    return counts;
  }

  get days(): Record<string, string> {
    const rows = Array.from(this.#days, ([key, sums]) => [key, Object.values(sums).join(' ')]);
    return Object.fromEntries(rows);
  }

  get words(): Record<string, string | undefined> {
    const rows = [...this.#members].flatMap(([memberId, { names }]) =>
      wordChanges(memberId, null, names).map(({ key, row }) => [key, row?.others]),
    );
    return Object.fromEntries(rows);
  }

  #sumsOf(at: number, kind: string): Record<string, number | bigint> {
    return this.#days.getOrInsertComputed(`${Math.floor(at / DAY_MS)} ${kind}`, () => {
      return { records: 0, members: 0, issued: 0n, spent: 0n, opened: 0n, held: 0n };
    });
  }

  #countClaim(sign: number, { gave, cost, balances }: Data, at: number): void {
    const kinds = Object.keys(balances);
    const first = this.#sumsOf(at, kinds[0] ?? '');
    first.records = Number(first.records) + 1;
    for (const kind of kinds) {
      const sums = this.#sumsOf(at, kind);
      sums.issued = (sums.issued as bigint) + BigInt(sign * (gave[kind] ?? 0));
      sums.spent = (sums.spent as bigint) + BigInt(sign * (cost[kind] ?? 0));
    }
  }

  #count(type: string, data: Data, at: number): void {
    if (type in CLAIMS) this.#countClaim(CLAIMS[type as keyof typeof CLAIMS], data, at);
    else this.#countPoints(type, data, at);
  }

  #countPoints(type: string, data: Data, at: number): void {
    const isOfPoints = type.startsWith('points.');
    const sums = this.#sumsOf(at, isOfPoints ? data.realmPointId : '');
    const add = (name: string, tokens: number): void => {
      sums[name] = (sums[name] as bigint) + BigInt(tokens);
    };
    sums.records = Number(sums.records) + 1;
    if (type === 'member.created') sums.members = Number(sums.members) + 1;
    if (type === 'member.removed') sums.members = Number(sums.members) - 1;
    if (!isOfPoints) return;
    if (type === 'points.held') add('held', data.tokens);
    if (type === 'points.released' || type === 'points.captured') add('held', -data.tokens);
    const isReversal = type === 'points.reversed';
    const total = TOTALS[isReversal ? data.reversedType : type];
    if (total && data.recipientId === undefined)
      add(total, isReversal ? -data.tokens : data.tokens);
  }

  #add({ seq, type }: JournalRecord, data: Data, at: number): void {
    const { memberId, recipientId, realmPointId: kind, tokens } = data;
    if (type === 'realm.created') this.#kinds.push(...data.points.map(({ id }) => id));
    if (type === 'point.created') this.#kinds.push(data.id);
    if (type === 'member.created') this.#join(memberId);
    if (type === 'member.removed') this.#leave(memberId, seq, at);
    const member = this.#members.get(memberId);
    for (const name of ['username', 'displayName'] as const) {
      if (member && name in data) member.names[name] = (data as unknown as Names)[name];
    }
    if (type in CLAIMS) this.#addClaim({ seq, type }, data, at);
    const isReversal = type === 'points.reversed';
    const sign = SIGNS[(isReversal ? data.reversedType : type) as keyof typeof SIGNS];
    if (sign === undefined) return;
    const moved = isReversal ? -sign * tokens : sign * tokens;
    this.movements.push([seq, type, kind].join(' '));
    for (const one of ['0', memberId, recipientId]) {
      if (one && data.reference) this.references.push([data.reference, one, seq].join(' '));
    }
    const isActive = !isReversal && type !== 'points.opened' && data.reason === undefined;
    this.#post({ seq, type }, memberId, kind, moved, { at, isActive });
    if (recipientId) this.#post({ seq, type }, recipientId, kind, -moved, { at, isActive });
    if ((isReversal ? data.reversedType : type) === 'points.added') {
      this.#earn(memberId, kind, moved, { seq, at });
    }
  }

  #addClaim({ seq, type }: { seq: number; type: string }, data: Data, at: number): void {
    const { memberId, gave, cost, balances, reference } = data;
    const sign = CLAIMS[type as keyof typeof CLAIMS];
    const kinds = Object.keys(balances);
    for (const kind of kinds) {
      const moved = sign * ((gave[kind] ?? 0) - (cost[kind] ?? 0));
      this.movements.push([seq, type, kind].join(' '));
      this.#post({ seq, type }, memberId, kind, moved, { at, isActive: sign === 1 });
      if (gave[kind]) this.#earn(memberId, kind, sign * gave[kind], { seq, at });
    }
    for (const one of reference && kinds.length > 0 ? ['0', memberId] : []) {
      this.references.push([reference, one, seq].join(' '));
    }
  }

  #earn(memberId: string, kind: string, earned: number, when: { seq: number; at: number }): void {
    const { seq, at } = when;
    const scores = this.#scores.getOrInsertComputed(`${memberId}:${kind}`, () => new Map());
    for (const [window, first] of windowsOf(at)) {
      const [last, before] = scores.get(window) ?? ['', 0n];
      if (last !== '' && last < first) this.#end(window, kind, [memberId, seq, last, before]);
      scores.set(window, [first, (last === first ? before : 0n) + BigInt(earned)]);
    }
  }

  #join(memberId: string): void {
    const zeros = this.#kinds.map((kind) => [kind, { ...NO_POINTS }] as const);
    const names = { username: null, displayName: null };
    this.#members.set(memberId, { names, balances: new Map(zeros), days: [] });
  }

  #end(window: string, kind: string, [memberId, seq, first, score]: Ended): void {
    if (window === 'day') return;
    this.pastScores.push([`${kind}@past-${window}:${first}`, memberId, seq, score].join(' '));
  }

  #leave(memberId: string, seq: number, at: number): void {
    this.#members.delete(memberId);
    for (const [key, scores] of this.#scores) {
      if (!key.startsWith(`${memberId}:`)) continue;
      for (const [window, first] of windowsOf(at)) {
        const [last, score] = scores.get(window) ?? [first, 0n];
        const kind = key.slice(key.indexOf(':') + 1);
        if (last < first) this.#end(window, kind, [memberId, seq, last, score]);
      }
      this.#scores.delete(key);
    }
  }

  #post(
    { seq, type }: { seq: number; type: string },
    memberId: string,
    kind: string,
    tokens: number,
    { at, isActive }: { at: number; isActive: boolean },
  ): void {
    const member = this.#members.get(memberId);
    const before = member?.balances.get(kind) ?? NO_POINTS;
    const balance = before.balance + tokens;
    const day = Math.floor(at / DAY_MS);
    const activeDay = isActive ? Math.max(before.activeDay ?? day, day) : before.activeDay;
    member?.balances.set(kind, { balance, movedAt: at, activeDay });
    this.entries.push([seq, type, memberId, kind, tokens, balance].join(' '));
    const last = member?.days.at(-1) ?? -1;
    if (!isActive || !member || day <= last) return;
    member.days.push(day);
    this.lives.add(member.days);
    const key = `${day} ${last < 0 ? last : Math.max(last, day - 400)}`;
    this.activeMembers[key] = (this.activeMembers[key] ?? 0) + 1;
  }
}
