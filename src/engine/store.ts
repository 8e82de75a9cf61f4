import type { Needs, RealmFacts } from '../domain/facts.ts';
import type { Reader } from '../domain/queries.ts';
import type { Decision } from '../domain/rules/decide.ts';

export type Decide = (facts: RealmFacts[]) => Decision;

/**
 * Where batches are written one after another. It does not judge: the rules come in as a pure
 * function, called inside the transaction between the reading and the writing, so no caller can
 * forget the transaction.
 */
export interface BatchWriter {
  /**
   * Loads the facts, lets them be decided, writes the changes: one durable transaction. `onSent`
   * hears when the next batch may be handed over already, where it may before this one is done.
   */
  commit(needs: Needs[], decide: Decide, onSent?: () => void): Decision | Promise<Decision>;
  /** Whether one batch may be of several realms; it may unless this says no. */
  spansRealms?: boolean;
  /** Whether `onSent` is ever heard of before a batch is done. */
  pipelines?: boolean;
}

/**
 * Thrown by a writer that can't write a batch for the time being, since a realm of it is locked
 * elsewhere. Nothing was changed. Handed over again without `onSent`, a batch of one realm waits.
 */
export class RealmLocked extends Error {}

/** What keeps the books. */
export interface Store {
  /** All batches of a realm must take the same writer. */
  writers: readonly [BatchWriter, ...BatchWriter[]];
  reader: Reader;
  housekeeping: Housekeeping;
  /** Whether the books can't be reached at present: nobody should then wait in line for them. */
  isUnavailable?(): boolean;
  /** Calls back whenever that begins. */
  onceUnavailable?(tell: () => void): void;
  close(): void | Promise<void>;
}

/** Nothing was left to follow; or something was followed; or as much as fits into one turn. */
export type ProjectionProgress = 'nothing' | 'some' | 'full';

/** Bringing what statements and boards are read from up to the journals' ends. */
export interface Projecting {
  /**
   * A bounded number of records of all realms that are behind, or of those only that are far
   * behind.
   */
  project(whom: 'all' | 'far'): ProjectionProgress | Promise<ProjectionProgress>;
  /** Drops boards of windows that are long over; answers how many rows went. */
  dropOldLeaderboards(before: number): number | Promise<number>;
}

/** Writes that are nobody's business but the service's own: they are no part of any journal. */
export interface Housekeeping extends Projecting {
  /** Notes when keys were last used. */
  touchKeys(uses: { keyId: string; at: number }[]): void | Promise<void>;
  /** Keeps the hash of the first root key, unless there is one; answers whether it was kept. */
  keepRootKeyHash(hash: string): boolean | Promise<boolean>;
  /** Forgets a bounded number of challenges that were over by the instant; answers how many. */
  forgetChallenges(before: number): number | Promise<number>;
  /** Forgets a bounded number of answers from before the instant; answers how many. */
  forgetAnswers(before: number): number | Promise<number>;
}
