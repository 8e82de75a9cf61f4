import type { Change, PastScore, Scores } from '../facts.ts';
import { type Sum, sumOf } from '../model.ts';
import {
  firstDay,
  KEPT_WINDOWS,
  leaderboardOf,
  MAX_SCORE,
  pastOf,
  type ScoreMove,
  WINDOWS,
} from './leaderboards.ts';
import { balanceKey } from './tables.ts';
import { DAY_MS } from './time.ts';

export interface ScoreChanges {
  scores: Change<Scores>[];
  moves: ScoreMove[];
}

/** The scores of a member, and what they were before. */
interface Tracked {
  before: Scores | null;
  after: Scores | null;
}

type Earner = Pick<Scores, 'memberId' | 'realmPointId'>;
type Earning = Earner & Pick<PastScore, 'seq'>;
type FirstDays = Pick<Scores, 'day' | 'week' | 'month'>;

/** What members have earned. */
export class ScoreTable {
  readonly past: PastScore[] = [];
  readonly #members = new Map<string, Map<string, Tracked>>();
  readonly #firstDays = new Map<number, FirstDays>();
  readonly #names = new Map<string, string>();

  constructor(scores: readonly Scores[]) {
    for (const row of scores) {
      const tracked = this.#tracked(row);
      tracked.before = row;
      tracked.after = row;
    }
  }

  add({ memberId, realmPointId, seq }: Earning, earned: number, at: number): void {
    const tracked = this.#tracked({ memberId, realmPointId });
    const { day, week, month } = this.#firstDaysAt(at);
    const last = tracked.after;
    if (last) this.#keepPast(last, seq, at);
    tracked.after = {
      memberId,
      realmPointId,
      day,
      dayScore: sum(last?.day === day ? last.dayScore : 0, earned),
      week,
      weekScore: sum(last?.week === week ? last.weekScore : 0, earned),
      month,
      monthScore: sum(last?.month === month ? last.monthScore : 0, earned),
    };
  }

  removeAll({ memberId, seq }: Pick<PastScore, 'memberId' | 'seq'>, at: number): void {
    for (const tracked of this.#members.get(memberId)?.values() ?? []) {
      if (tracked.after) this.#keepPast(tracked.after, seq, at);
      tracked.after = null;
    }
  }

  #keepPast(last: Scores, seq: number, at: number): void {
    const current = this.#firstDaysAt(at);
    for (const window of KEPT_WINDOWS) {
      if (last[window] >= current[window]) continue;
      const { memberId } = last;
      const score = last[`${window}Score`];
      const leaderboard = pastOf(this.#leaderboardOf(last, window));
      this.past.push({ leaderboard, seq, memberId, score });
    }
  }

  changes(): ScoreChanges {
    const scores: Change<Scores>[] = [];
    const moves: ScoreMove[] = [];
    for (const [memberId, kinds] of this.#members) {
      for (const [realmPointId, tracked] of kinds) {
        if (tracked.before === tracked.after) continue;
        scores.push({ key: balanceKey(memberId, realmPointId), row: tracked.after });
        this.#addMoves(moves, tracked);
      }
    }
    return { scores, moves };
  }

  /** On the leaderboard of another day, week or month, a member leaves the last one. */
  #addMoves(moves: ScoreMove[], { before, after }: Tracked): void {
    for (const window of WINDOWS) {
      const isSame = before && after && before[window] === after[window];
      const to = after && this.#leaderboardOf(after, window);
      const from = isSame ? to : before && this.#leaderboardOf(before, window);
      const [lost, won] = [before?.[`${window}Score`] ?? 0, after?.[`${window}Score`] ?? 0];
      if (from && from === to) moves.push({ leaderboard: from, before: lost, after: won });
      else {
        if (from) moves.push({ leaderboard: from, before: lost, after: null });
        if (to) moves.push({ leaderboard: to, before: null, after: won });
      }
    }
  }

  #tracked({ memberId, realmPointId }: Earner): Tracked {
    return this.#members
      .getOrInsertComputed(memberId, () => new Map<string, Tracked>())
      .getOrInsertComputed(realmPointId, () => ({ before: null, after: null }));
  }

  #firstDaysAt(at: number): FirstDays {
    return this.#firstDays.getOrInsertComputed(Math.floor(at / DAY_MS), () => ({
      day: firstDay('day', at),
      week: firstDay('week', at),
      month: firstDay('month', at),
    }));
  }

  /** Names are costly to format. */
  #leaderboardOf(row: Scores, window: (typeof WINDOWS)[number]): string {
    const { realmPointId, [window]: first } = row;
    return this.#names.getOrInsertComputed(`${first} ${window} ${realmPointId}`, () =>
      leaderboardOf(realmPointId, window, first * DAY_MS),
    );
  }
}

/** Points earned are unbounded, since they can be spent and earned again; a stored score is not. */
function sum(score: Sum, earned: number): Sum {
  // Nearly always a number holds it.
  const rough = typeof score === 'number' ? score + earned : Number.NaN;
  if (Number.isSafeInteger(rough)) return rough;
  const exact = BigInt(score) + BigInt(earned);
  return sumOf(exact > MAX_SCORE ? MAX_SCORE : exact < -MAX_SCORE ? -MAX_SCORE : exact);
}
