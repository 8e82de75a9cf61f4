import type { Hold, Kind, Member, Realm, Transaction } from '@realmkeep/client';
import { formatNumber } from '../text/format.ts';
import { amountOf } from '../text/sentence.ts';

/** What the service would refuse is not offered, as far as it can be known beforehand. */
export const canMove = (member: Member, kind: Kind): boolean =>
  member.status !== 'frozen' && !kind.archived;

/** Zero is available to who is frozen, and of kinds that are archived. */
export const canSpend = (member: Member, kind: Kind): boolean =>
  (member.available[kind.id] ?? 0) > 0;

export const canGive = (member: Member, kind: Kind, realm: Realm): boolean =>
  canSpend(member, kind) && kind.isTransferable && realm.settings.transfers;

export const canUndo = (member: Member, kind: Kind, transaction: Transaction): boolean =>
  transaction.type !== 'points.reversed' &&
  canMove(member, kind) &&
  reversible(member, kind, transaction) > 0;

/** How much of a movement can be undone, as far as this member is concerned. */
export function reversible(member: Member, kind: Kind, transaction: Transaction): number {
  const most = transaction.tokens < 0 ? roomFor(member, kind) : returnable(member, kind);
  return Math.min(leftOf(transaction), most);
}

const leftOf = ({ tokens, reversedTokens }: Transaction): number =>
  Math.abs(tokens) - reversedTokens;

const roomFor = (member: Member, kind: Kind): number =>
  kind.maximumBalance - (member.balances[kind.id] ?? 0);

/** Points that were spent since, or are set aside, cannot be taken back; a debt is not made. */
function returnable(member: Member, kind: Kind): number {
  const free = (member.balances[kind.id] ?? 0) - (member.held[kind.id] ?? 0);
  return Math.max(0, free - Math.max(0, kind.minimumBalance));
}

/** What was set aside can be released from whom it cannot be taken. */
export const canCapture = (member: Member, kind: Kind): boolean =>
  canMove(member, kind) && (member.balances[kind.id] ?? 0) > kind.minimumBalance;

/** A hold expires on time, also while one looks at it. */
export const holdStatus = ({ status, expiresAt }: Hold, now: number): Hold['status'] =>
  status === 'open' && Date.parse(expiresAt) <= now ? 'expired' : status;

/** Why so many points cannot be added; null if they can. */
export function addRefusal(member: Member, kind: Kind, realm: Realm, tokens: number) {
  return roomRefusal(member, kind, tokens) ?? sizeRefusal(kind, realm, tokens);
}

const roomRefusal = (member: Member, kind: Kind, tokens: number): string | null =>
  tokens > roomFor(member, kind)
    ? `The highest allowed balance is ${formatNumber(kind.maximumBalance)}.`
    : null;

/** Why so many points cannot be taken, given or set aside; null if they can. */
export function spendRefusal(member: Member, kind: Kind, realm: Realm, tokens: number) {
  const available = member.available[kind.id] ?? 0;
  if (tokens <= available) return sizeRefusal(kind, realm, tokens);
  const because = boundsOf(member, kind, kind.minimumBalance);
  return `Only ${amountOf(available, kind)} can be spent${because}.`;
}

/** Why so many points of a movement cannot be moved back; null if they can. */
export function reverseRefusal(
  member: Member,
  kind: Kind,
  transaction: Transaction,
  tokens: number,
): string | null {
  const left = leftOf(transaction);
  if (tokens > left) return `Only ${amountOf(left, kind)} of this movement are left to undo.`;
  if (transaction.tokens < 0) return roomRefusal(member, kind, tokens);
  const most = returnable(member, kind);
  const because = boundsOf(member, kind, Math.max(0, kind.minimumBalance));
  return tokens > most ? `Only ${amountOf(most, kind)} can be taken back${because}.` : null;
}

/** Why not all of a balance can be spent. */
function boundsOf(member: Member, kind: Kind, lowest: number): string {
  const held = member.held[kind.id] ?? 0;
  const reasons = [
    held > 0 && `${formatNumber(held)} are set aside`,
    lowest !== 0 && `the lowest allowed balance is ${formatNumber(lowest)}`,
  ].filter(Boolean);
  return reasons.length > 0 ? `: ${reasons.join(', and ')}` : '';
}

/** Why so many of the points that were set aside cannot be taken; null if they can. */
export function captureRefusal(member: Member, kind: Kind, hold: Hold, tokens: number) {
  if (tokens > hold.remaining) return `Only ${amountOf(hold.remaining, kind)} are set aside.`;
  return (member.balances[kind.id] ?? 0) - tokens < kind.minimumBalance
    ? `The lowest allowed balance is ${formatNumber(kind.minimumBalance)}.`
    : null;
}

function sizeRefusal(kind: Kind, { settings }: Realm, tokens: number): string | null {
  const most = settings.maxTokensPerRequest;
  return most !== null && tokens > most
    ? `The largest amount in one change is ${amountOf(most, kind)}.`
    : null;
}
