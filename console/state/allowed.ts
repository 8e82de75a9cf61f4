import type { Hold, Kind, Member, Realm, Transaction } from '@realmkeep/client';

/** What the service would refuse is not offered, as far as it can be known beforehand. */
export const canMove = (member: Member, kind: Kind): boolean =>
  member.status !== 'frozen' && !kind.archived;

/** Zero is available to who is frozen, and of kinds that are archived. */
export const canSpend = (member: Member, kind: Kind): boolean =>
  (member.available[kind.id] ?? 0) > 0;

export const canGive = (member: Member, kind: Kind, realm: Realm): boolean =>
  canSpend(member, kind) && kind.isTransferable && realm.settings.transfers;

/** Points that were spent since, or are set aside, cannot be taken back. */
export function canUndo(member: Member, kind: Kind, transaction: Transaction): boolean {
  const { type, tokens, reversedTokens } = transaction;
  const isLeft = type !== 'points.reversed' && Math.abs(tokens) > reversedTokens;
  const free = (member.balances[kind.id] ?? 0) - (member.held[kind.id] ?? 0);
  const canReturn = tokens < 0 || free > Math.max(0, kind.minimumBalance);
  return isLeft && canReturn && canMove(member, kind);
}

/** What was set aside can be released from whom it cannot be taken. */
export const canCapture = (member: Member, kind: Kind): boolean =>
  canMove(member, kind) && (member.balances[kind.id] ?? 0) > kind.minimumBalance;

/** A hold expires on time, also while one looks at it. */
export const holdStatus = ({ status, expiresAt }: Hold, now: number): Hold['status'] =>
  status === 'open' && Date.parse(expiresAt) <= now ? 'expired' : status;
