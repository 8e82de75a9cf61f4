import type { Amounts } from './offer.ts';
import {
  type ClaimMovement,
  effectOf,
  isClaim,
  type Movement,
  type MovementType,
  type PointsMovement,
} from './records.ts';

/** One side of a movement of points. Every balance is the sum of its postings. */
export interface Posting {
  seq: number;
  type: MovementType;
  memberId: string;
  realmPointId: string;
  /** Signed: positive for a credit. */
  tokens: number;
  /** The member's balance after it. */
  balance: number;
}

/** The points of one kind; `constructor` is an id of a kind, too. */
export const amountIn = (amounts: Amounts, realmPointId: string): number =>
  Object.hasOwn(amounts, realmPointId) ? (amounts[realmPointId] ?? 0) : 0;

/** What a movement was for; a claim, by the name of its offer. */
export const descriptionOf = ({ data }: Movement): string | null =>
  ('offerName' in data ? data.offerName : data.description) ?? null;

/** What a claim or its rejection did to one kind of points. */
interface ClaimSide {
  realmPointId: string;
  issued: number;
  spent: number;
  balance: number;
}

export const claimSides = ({ type, data }: ClaimMovement): ClaimSide[] =>
  Object.entries(data.balances).map(([realmPointId, balance]) => {
    const [gave, cost] = [amountIn(data.gave, realmPointId), amountIn(data.cost, realmPointId)];
    const isBack = type === 'claim.rejected';
    return { realmPointId, issued: isBack ? -gave : gave, spent: isBack ? -cost : cost, balance };
  });

/**
 * The member's posting, followed by the recipient's if there is one; of a claim, one for each kind
 * of points. So a record has at most one posting for each member and kind.
 */
export function postingsOf(movement: Movement): Posting[] {
  const { seq, type, data } = movement;
  const { memberId } = data;
  if (isClaim(movement)) {
    return claimSides(movement).map(({ realmPointId, issued, spent, balance }) => {
      return { seq, type, memberId, realmPointId, tokens: issued - spent, balance };
    });
  }
  return pointsPostings(movement);
}

function pointsPostings(movement: PointsMovement): Posting[] {
  const { seq, type, data } = movement;
  const { memberId, realmPointId } = data;
  const isAdded = effectOf(movement).isCredit !== (type === 'points.reversed');
  const tokens = isAdded ? data.tokens : -data.tokens;
  const balance = 'senderBalance' in data ? data.senderBalance : data.newBalance;
  const own = { seq, type, memberId, realmPointId, tokens, balance };
  if (!('recipientId' in data) || data.recipientBalance === undefined) return [own];
  const { recipientId, recipientBalance } = data;
  return [own, { ...own, memberId: recipientId, tokens: -tokens, balance: recipientBalance }];
}
