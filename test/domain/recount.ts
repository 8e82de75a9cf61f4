import { MAX_POINTS } from '../../src/domain/model.ts';
import { type MovementType, wholeData } from '../../src/domain/records.ts';
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
}

interface Present {
  names: Names;
  /** Of the kinds that there were when the member joined, and those that have moved since. */
  balances: Map<string, { balance: number; movedAt: number | null }>;
}

/** Whether a movement adds to the balance of its member. */
const SIGNS: Record<Exclude<MovementType, 'points.reversed'>, 1 | -1> = {
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

/** Everything that follows from a journal, counted from its beginning in the plainest way. */
export class Recount {
  readonly entries: string[] = [];
  readonly movements: string[] = [];
  readonly #kinds: string[] = [];
  readonly #members = new Map<string, Present>();
  /** By member and kind, then by window, with its first day. */
  readonly #scores = new Map<string, Map<string, [first: string, score: number]>>();
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
    const count = (leaderboard: string, score: number): void => {
      for (const width of BUCKET_WIDTHS) {
        const key = bucketKey({ leaderboard, width, bucket: bucketOf(score, width) });
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
    return counts;
  }

  get days(): Record<string, string> {
    const rows = Array.from(this.#days, ([key, { records, issued, spent, opened, held }]) => {
      return [key, [records, issued, spent, opened, held].join(' ')];
    });
    return Object.fromEntries(rows);
  }

  get words(): Record<string, string | undefined> {
    const rows = [...this.#members].flatMap(([memberId, { names }]) =>
      wordChanges(memberId, null, names).map(({ key, row }) => [key, row?.others]),
    );
    return Object.fromEntries(rows);
  }

  #count(type: string, data: Data, at: number): void {
    const isOfPoints = type.startsWith('points.');
    const key = `${Math.floor(at / DAY_MS)} ${isOfPoints ? data.realmPointId : ''}`;
    const sums = this.#days.getOrInsertComputed(key, () => {
      return { records: 0, issued: 0n, spent: 0n, opened: 0n, held: 0n };
    });
    const add = (name: string, tokens: number): void => {
      sums[name] = (sums[name] as bigint) + BigInt(tokens);
    };
    sums.records = Number(sums.records) + 1;
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
    if (type === 'member.removed') this.#leave(memberId);
    const member = this.#members.get(memberId);
    for (const name of ['username', 'displayName'] as const) {
      if (member && name in data) member.names[name] = (data as unknown as Names)[name];
    }
    const isReversal = type === 'points.reversed';
    const sign = SIGNS[(isReversal ? data.reversedType : type) as keyof typeof SIGNS];
    if (sign === undefined) return;
    const moved = isReversal ? -sign * tokens : sign * tokens;
    this.movements.push([seq, type, kind].join(' '));
    this.#post(`${seq} ${type}`, memberId, kind, moved, at);
    if (recipientId !== undefined) this.#post(`${seq} ${type}`, recipientId, kind, -moved, at);
    if ((isReversal ? data.reversedType : type) !== 'points.added') return;
    const scores = this.#scores.getOrInsertComputed(`${memberId}:${kind}`, () => new Map());
    for (const [window, first] of windowsOf(at)) {
      const [last, before] = scores.get(window) ?? ['', 0];
      const score = (last === first ? before : 0) + moved;
      scores.set(window, [first, Math.max(-MAX_POINTS, Math.min(MAX_POINTS, score))]);
    }
  }

  #join(memberId: string): void {
    const zeros = this.#kinds.map((kind) => [kind, { balance: 0, movedAt: null }] as const);
    const names = { username: null, displayName: null };
    this.#members.set(memberId, { names, balances: new Map(zeros) });
  }

  #leave(memberId: string): void {
    this.#members.delete(memberId);
    for (const key of this.#scores.keys()) {
      if (key.startsWith(`${memberId}:`)) this.#scores.delete(key);
    }
  }

  #post(which: string, memberId: string, kind: string, tokens: number, at: number): void {
    const balances = this.#members.get(memberId)?.balances;
    const balance = (balances?.get(kind)?.balance ?? 0) + tokens;
    balances?.set(kind, { balance, movedAt: at });
    this.entries.push([which, memberId, kind, tokens, balance].join(' '));
  }
}
