import type { Decision } from './decide.rules.ts';
import type { Needs, RealmFacts } from './facts.ts';
import type { Reader } from './queries.ts';

/**
 * What keeps the books. It does not judge: the rules come in as a pure function, called inside the
 * transaction between the reading and the writing, so no caller can forget the transaction.
 */
export interface Store {
  /** Loads the facts, lets them be decided, writes the changes: one durable transaction. */
  commit(needs: Needs[], decide: (facts: RealmFacts[]) => Decision): Decision | Promise<Decision>;
  reader: Reader;
  housekeeping: Housekeeping;
  /** How many batches, of different realms, can be written at once; one unless it says so. */
  lanes?: number;
  /** Whether one batch may be of several realms; it may unless this says no. */
  spansRealms?: boolean;
  /** Whether the books can't be reached at present: nobody should then wait in line for them. */
  isAway?(): boolean;
  /** Calls back whenever that begins. */
  whenAway?(tell: () => void): void;
  close(): void | Promise<void>;
}

/** Bringing what statements and boards are read from up to the journals' ends. */
export interface Following {
  /** A bounded number of records of all realms that are behind; answers whether that was all. */
  follow(): boolean | Promise<boolean>;
  /** Drops boards of windows that are long over; answers how many rows went. */
  dropOldBoards(before: number): number | Promise<number>;
}

/** Writes that are nobody's business but the service's own: they are no part of any journal. */
export interface Housekeeping extends Following {
  /** Notes when keys were last used. */
  touchKeys(uses: { keyId: string; at: number }[]): void | Promise<void>;
  /** Keeps the hash of the first root key, unless there is one; answers whether it was kept. */
  keepRootKeyHash(hash: string): boolean | Promise<boolean>;
  /** Forgets a bounded number of challenges that were over by the instant; answers how many. */
  forgetChallenges(before: number): number | Promise<number>;
  /** Forgets a bounded number of answers from before the instant; answers how many. */
  forgetAnswers(before: number): number | Promise<number>;
}
