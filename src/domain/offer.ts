import type { Metadata } from './model.ts';

/** Points by kind, each at least 1. */
export type Amounts = Record<string, number>;

/** A calendar day, a week from Monday or a month, in the time zone of the realm. */
export type Period = 'ever' | 'day' | 'week' | 'month';

export type OfferStatus = 'archived' | 'upcoming' | 'closed' | 'soldOut' | 'open';

interface PerMember {
  times: number;
  period: Period;
}

interface Requirements {
  minimumBalance?: Amounts;
  /** The id of another offer. */
  claimed?: string;
}

export interface Streak {
  bonus: number[];
  graceDays: number;
}

/** What members may take, and on which terms. Instants are ISO 8601 texts. */
export interface OfferTerms {
  name: string;
  description: string | null;
  emoji: string | null;
  gives: Amounts;
  costs: Amounts;
  perMember: PerMember | null;
  stock: number | null;
  opensAt: string | null;
  closesAt: string | null;
  requires: Requirements | null;
  delivery: 'none' | 'manual';
  streak: Streak | null;
  isListed: boolean;
  metadata: Metadata;
  archived: boolean;
}

export interface Offer {
  id: string;
  terms: OfferTerms;
  /** How many were claimed, without those that were rejected. */
  claimed: number;
  /** The last record that changed who has claimed it: a claim or a rejection; 0 before. */
  lastSeq: number;
  drawSeq: number | null;
  createdAt: number;
  updatedAt: number;
}

/** As callers see it at an instant. */
export interface OfferView extends OfferTerms, Omit<Offer, 'terms' | 'lastSeq'> {
  status: OfferStatus;
  /** Null without a stock. */
  stockLeft: number | null;
}

export type ClaimStatus = 'pending' | 'done' | 'rejected';

/** What lists and draws find claims by. All else of a claim is in its record. */
export interface ClaimRow {
  /** The `seq` of its record. */
  id: number;
  offerId: string;
  memberId: string;
  quantity: number;
  status: ClaimStatus;
}

export interface Claim extends Omit<ClaimRow, 'id'> {
  claimId: number;
  gave: Amounts;
  cost: Amounts;
  /** Of the kinds of points that it touched, after it. */
  balances: Amounts;
  period: string | null;
  streak: number | null;
  at: number;
  actor: string;
  onBehalfOf?: string;
  reference?: string;
  metadata?: Metadata;
  erased?: true;
}

/** What a member has claimed, in all and around its last claim, without what was rejected. */
export interface Claimant {
  offerId: string;
  memberId: string;
  total: number;
  /** The local date of the last claim. A claim never counts for an earlier one. */
  day: string;
  inDay: number;
  inWeek: number;
  inMonth: number;
  /** Which day in a row that day is; 0 if the offer does not count them. */
  streak: number;
  /** The same of the day before it on which there was a claim; an empty date if there was none. */
  dayBefore: string;
  streakBefore: number;
}

export type Tickets = Pick<ClaimRow, 'id' | 'memberId' | 'quantity'>;

export interface Winner {
  memberId: string;
  claimId: number;
}

/** The outcome of a draw, which anybody can repeat. */
export interface Drawn {
  winners: Winner[];
  seed: string;
  /** How many there were. */
  tickets: number;
  /** The SHA-256 of the list of tickets in hexadecimal. */
  listHash: string;
  /** The name of the procedure. */
  method: string;
}
