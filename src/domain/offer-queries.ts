import type { Claim, ClaimStatus, Offer, OfferStatus, Tickets } from './offer.ts';

/** Selects offers by id, those that have a status at an instant. */
interface OfferParams {
  realmId: string;
  after: string | null;
  limit: number;
  status: OfferStatus | null;
  now: number;
}

/** Selects claims, newest first. */
export interface ClaimParams {
  realmId: string;
  status: ClaimStatus | null;
  offerId: string | null;
  /** The id of the last claim of the previous page. */
  before: number | null;
  limit: number;
}

/** Rows of a list that may end before it is full, and where it goes on; null after the last one. */
export interface PageUpTo<Row, Key> {
  rows: Row[];
  next: Key | null;
}

/** The queries about offers and claims. */
export interface OfferQueries {
  offer: [{ realmId: string; offerId: string }, Offer | null];
  offers: [OfferParams, PageUpTo<Offer, string>];
  claim: [{ realmId: string; claimId: number }, Claim | null];
  claims: [ClaimParams & { memberId: string | null }, PageUpTo<Claim, number>];
  /** Null when there is no such member. */
  claimsOf: [ClaimParams & { memberId: string }, PageUpTo<Claim, number> | null];
  /** The claims of an offer that were not rejected, by number. */
  tickets: [{ realmId: string; offerId: string; after: number; limit: number }, Tickets[]];
}
