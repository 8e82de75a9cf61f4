import type { Idempotency } from './commands.ts';
import type {
  Account,
  ApiKeyRow,
  Asset,
  Challenge,
  Hold,
  MemberRow,
  MemberStatus,
  PointKind,
  RealmRow,
  Sum,
  Wallet,
} from './model.ts';
import type { Posting } from './movements.ts';
import type { Claimant, ClaimRow, Offer } from './offer.ts';
import type { PersonRow } from './person.ts';
import type { ActiveMembers, DailyTotals } from './rules/daily-totals.ts';
import type { JournalRecord } from './rules/journal.ts';
import type { IndexedWord, SearchKey } from './rules/search.ts';
import type { WebhookRow } from './webhook.ts';

export interface Balance {
  memberId: string;
  realmPointId: string;
  balance: number;
  /** The number of open holds on it, nearly always 0, and what they set aside. */
  openHolds: number;
  /** Digits: holds that have expired count until that is recorded, so it may exceed 2^53. */
  held: string;
  movedAt: number | null;
  /** The last day in which the member was active with it; null if it never was. */
  activeDay: number | null;
}

/** Of the day, week and month in which a member last earned: the first days, from 1970. */
export interface Scores {
  memberId: string;
  realmPointId: string;
  day: number;
  dayScore: Sum;
  week: number;
  weekScore: Sum;
  month: number;
  monthScore: Sum;
}

/** What a member has earned in a week or month that is over for it. */
export interface PastScore {
  leaderboard: string;
  /** The record that ended it: in which the member earned again later, or left. */
  seq: number;
  memberId: string;
  score: Sum;
}

/** How many members of a leaderboard have a score that belongs to a bucket. */
export interface BucketCount {
  leaderboard: string;
  /** Of how many buckets it is made. */
  width: number;
  bucket: number;
  count: number;
  /** When the day of the leaderboard ends; null for one that is kept. */
  endsAt: number | null;
}

/** A new kind of points, and up to which member all have a balance of it. */
export interface KindEnrolment {
  realmPointId: string;
  enrolledTo: string;
}

/** How much of a transaction has been reversed, and by which record last. */
export interface Reversal {
  seq: number;
  tokens: number;
  by: number;
}

/** That a movement has a reference: for its members and, as the member 0, for the realm. */
export interface MovementReference {
  reference: string;
  memberId: string;
  seq: number;
}

/** What an erasure goes through, in this order, until it is done. */
export type ErasurePhase = 'records' | 'answers' | 'challenges' | 'deliveries' | 'done';

/** How far an erasure is: in a phase, after this key of its table; the empty key at its start. */
export interface ErasureProgress {
  phase: ErasurePhase;
  position: string;
}

/** It stays when it is done: a receiver's later answer to an event of before is not stored. */
export interface Erasure extends ErasureProgress {
  seq: number;
  /** The id of the member, or of the person. */
  erasedId: string;
}

/** What is read of every member that a command names. */
export interface MemberState {
  memberId: string;
  status: MemberStatus;
  /** What people call it, if it has a name. */
  name: string | null;
  isErased: boolean;
}

export type OwnedAccount = Account & { memberId: string };
export type OwnedWallet = Wallet & { memberId: string };

export interface IdempotencyRecord extends Idempotency {
  at: number;
  /** The journal's last record by then, and how many of the records up to it are its own. */
  seq: number;
  records: number;
  /** Null if that record contains all of it. Empty if it was erased, like the fingerprint. */
  answer: string | null;
}

interface Rows {
  kinds: PointKind;
  assets: Asset;
  webhooks: WebhookRow;
  members: MemberRow;
  balances: Balance;
  accounts: OwnedAccount;
  wallets: OwnedWallet;
  apiKeys: ApiKeyRow;
  people: PersonRow;
  challenges: Challenge;
  reversals: Reversal;
  holds: Hold;
  scores: Scores;
  offers: Offer;
  claims: ClaimRow;
  claimants: Claimant;
}

/**
 * What was read for the `Needs` of a realm. A needed row that is missing here does not exist.
 * `members` has the rows of `profiles`: of other members only the state is read. `holds` also has
 * the holds on a balance in `balances` that have expired without a record of it.
 */
export type RealmFacts = { [Name in keyof Rows]: Rows[Name][] } & {
  realmId: string;
  realm: RealmRow | null;
  states: MemberState[];
  idempotencyRecords: IdempotencyRecord[];
  /** The records needed, and those that idempotency records refer to. */
  records: JournalRecord[];
  freeMemberIds: string[];
  memberCount: number;
  /** The members whose scores are all here. */
  scoresRead: Set<string>;
};

/** A row to write; null deletes it. */
export interface Change<V> {
  key: string;
  row: V | null;
}

/** What a batch changes in one realm. All of it is written in one transaction. */
export type RealmChanges = { [Name in keyof Rows]: Change<Rows[Name]>[] } & {
  realm: RealmRow;
  isNewRealm: boolean;
  records: JournalRecord[];
  idempotencyRecords: IdempotencyRecord[];
  /** Those that the batch begins. */
  erasures: Change<Erasure>[];
  enrolments: Change<KindEnrolment>[];
  /** What follows from the records: both sides of each movement, and the movement itself. */
  entries: Posting[];
  movements: Pick<Posting, 'realmPointId' | 'type' | 'seq'>[];
  references: MovementReference[];
  pastScores: PastScore[];
  /** What is added to the counts and totals that are stored. */
  buckets: BucketCount[];
  days: DailyTotals[];
  activeMembers: ActiveMembers[];
  words: Change<SearchKey & IndexedWord>[];
};
