import type { Amounts } from './offer.ts';
import { decodeRecord, type EncodedRecord, type PointsType, type RecordOf } from './records.ts';

/** The types of records that move points: every balance is the sum of these. */
export type MovementType = PointsType | ClaimType;
/** Those of a claim, which gives and costs points of several kinds at once, or of none. */
const CLAIM_TYPES = ['offer.claimed', 'claim.rejected'] as const;
type ClaimType = (typeof CLAIM_TYPES)[number];

/** What movements of a type do. The compiler asks about a new one. */
interface Effect {
  /** Whether the points are added to the balance of the member, or else subtracted from it. */
  isCredit: boolean;
  isEarned: boolean;
  /** The total of the realm that they are added to, unless they go to a recipient. */
  total: 'issued' | 'spent' | 'opened' | null;
}

/** A reversal does the opposite. Claims issue what they give and spend what they cost. */
export const MOVEMENTS: Record<Exclude<PointsType, 'points.reversed'>, Effect> = {
  'points.opened': { isCredit: true, isEarned: false, total: 'opened' },
  'points.added': { isCredit: true, isEarned: true, total: 'issued' },
  'points.subtracted': { isCredit: false, isEarned: false, total: 'spent' },
  'points.transferred': { isCredit: false, isEarned: false, total: null },
  'points.captured': { isCredit: false, isEarned: false, total: 'spent' },
};

export const POINTS_TYPES = [...Object.keys(MOVEMENTS), 'points.reversed'] as PointsType[];
export const MOVEMENT_TYPES: MovementType[] = [...POINTS_TYPES, ...CLAIM_TYPES];

export type Movement = RecordOf<MovementType>;

export const isMovement = <R extends RecordOf>(
  record: R,
): record is Extract<R, { type: MovementType }> =>
  MOVEMENT_TYPES.some((type) => type === record.type);

type ClaimMovement = RecordOf<ClaimType>;
export type PointsMovement = RecordOf<PointsType>;

export const isClaim = (movement: Movement): movement is ClaimMovement =>
  CLAIM_TYPES.some((type) => type === movement.type);

/** What a movement did, or undid if it is a reversal. */
export const effectOf = ({ type, data }: PointsMovement): Effect =>
  MOVEMENTS[type === 'points.reversed' ? data.reversedType : type];

export const movementOf = (record: EncodedRecord): Movement | null =>
  decodeRecord(record, MOVEMENT_TYPES);

/** One side of a movement of points. Every balance is the sum of its postings. */
export interface Posting {
  seq: number;
  type: MovementType;
  memberId: string;
  realmPointId: string;
  /** Signed: positive for a credit. */
  tokens: number;
  balance: number;
}

/** The points of one kind; `constructor` is an id of a kind, too. */
export const amountIn = (amounts: Amounts, realmPointId: string): number =>
  Object.hasOwn(amounts, realmPointId) ? (amounts[realmPointId] ?? 0) : 0;

export const descriptionOf = ({ data }: Movement): string | null =>
  ('offerName' in data ? data.offerName : data.description) ?? null;

/** What a claim or its rejection did to each kind of points. */
export const claimSides = ({ type, data }: ClaimMovement) =>
  Object.entries(data.balances).map(([realmPointId, balance]) => {
    const [gave, cost] = [amountIn(data.gave, realmPointId), amountIn(data.cost, realmPointId)];
    const isBack = type === 'claim.rejected';
    return { realmPointId, issued: isBack ? -gave : gave, spent: isBack ? -cost : cost, balance };
  });

/** The member's, then the recipient's; of a claim, one for each kind. So none is twice. */
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
