import type { Remarks } from './model.ts';
import type { Amounts, ClaimStatus, Drawn, OfferTerms } from './offer.ts';

/** The records of offers and claims. */
export interface OfferRecords {
  'offer.created': { id: string } & OfferTerms;
  'offer.updated': { id: string } & Partial<OfferTerms>;
  'offer.claimed': ClaimPayload &
    Said & {
      status: Exclude<ClaimStatus, 'rejected'>;
      /** What it counts for: a day, week or month; null if there is no such limit. */
      period: string | null;
      /** The local date that it counts for. */
      day: string;
      streak: number | null;
    };
  'offer.drawn': { offerId: string } & Drawn;
  'claim.delivered': Omit<ClaimPayload, keyof ClaimPoints | 'offerName'> & { claimId: number };
  /** What was moved by the claim is moved back. */
  'claim.rejected': ClaimPayload & Omit<Said, 'metadata'> & { claimId: number };
}

/** A claim has the name of its offer in place of a description. */
type Said = Omit<Remarks, 'description'>;

interface ClaimPoints {
  gave: Amounts;
  cost: Amounts;
  /** Of the kinds of points that were touched, afterwards. */
  balances: Amounts;
}

interface ClaimPayload extends ClaimPoints {
  memberId: string;
  offerId: string;
  /** As it was then. */
  offerName: string;
  quantity: number;
}
