import type { Needs, RealmFacts } from '../facts.ts';
import {
  decodeRecord,
  effectOf,
  MOVEMENT_TYPES,
  type Movement,
  type MovementType,
} from '../records.ts';
import type { JournalRecord } from './journal.ts';

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

/** Decodes a stored record that moves points; null for any other record. */
export const movementOf = (
  record: Pick<JournalRecord, 'seq' | 'type' | 'data' | 'personal' | 'personalHash'>,
): Movement | null => decodeRecord(record, MOVEMENT_TYPES);

/** The members of the records and holds that commands refer to: their balances are needed too. */
export function referredMembers({ records, holds }: RealmFacts, needs: Needs): string[] {
  const movements = records.flatMap((record) =>
    needs.records.has(record.seq) ? (movementOf(record) ?? []) : [],
  );
  return [
    ...movements.flatMap(postingsOf).map(({ memberId }) => memberId),
    ...holds.filter(({ id }) => needs.holds.has(id)).map(({ memberId }) => memberId),
  ];
}

/** The member's posting, followed by the recipient's if there is one. */
export function postingsOf(movement: Movement): Posting[] {
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
