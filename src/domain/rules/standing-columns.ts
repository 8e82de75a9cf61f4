import { Column, differenceOf } from './member-columns.ts';
import type { ProjectedStanding } from './projections.ts';

/** The standings of a leaderboard, by the members' indexes. */
export class StandingColumns {
  readonly #scores = new Column();
  /** Stays empty on the leaderboard of a day, a week or a month. */
  readonly #movedAt = new Column();

  get(index: number): ProjectedStanding | null {
    const score = this.#scores.get(index);
    const movedAt = this.#movedAt.get(index);
    if (Number.isNaN(score)) return null;
    return { score, movedAt: Number.isNaN(movedAt) ? null : movedAt };
  }

  set(index: number, standing: ProjectedStanding | null): void {
    const { score = Number.NaN, movedAt = null } = standing ?? {};
    this.#scores.set(index, score);
    if (movedAt === null) this.#movedAt.take(index);
    else this.#movedAt.set(index, movedAt);
  }

  /** Enrols the members of another leaderboard that are not on this one. */
  enrolAll(others: StandingColumns): void {
    others.#scores.findIndex((_, index) => {
      if (Number.isNaN(this.#scores.get(index))) this.#scores.set(index, 0);
      return false;
    });
  }

  /** The first member whose standings differ; -1 if none do, other than those that may. */
  differenceTo(stored: StandingColumns, mayDiffer: (index: number) => boolean): number {
    const index = differenceOf(this.#scores, stored.#scores, mayDiffer);
    return index >= 0 ? index : differenceOf(this.#movedAt, stored.#movedAt);
  }
}
