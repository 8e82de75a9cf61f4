import type { Hold, Kind, Member, Realm, Transaction } from '@realmkeep/client';
import { type Figure, formatNumber } from '../text/format.ts';
import { amountOf } from '../text/sentence.ts';

/** What the service would refuse is not offered, as far as it can be known beforehand. */
export const canMove = (member: Member, kind: Kind): boolean => moveRefusal(member, kind) === null;

/** Why no points move at all; null if they do. Either may have come to be while one looks. */
function moveRefusal({ status }: Member, { archived, name }: Kind): string | null {
  if (status === 'frozen') return 'The member is frozen: no points move in or out.';
  return archived ? `${name} is archived: nothing can be moved.` : null;
}

/** Zero is available to who is frozen, and of kinds that are archived. */
export const canSpend = (member: Member, kind: Kind): boolean => exact(member.available, kind) > 0n;

/** What is available or on hold of a kind may exceed what a JavaScript number holds. */
const exact = (amounts: Record<string, Figure>, { id }: Kind): bigint => BigInt(amounts[id] ?? 0);

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

/** Points that were spent since, or are on hold, cannot be taken back; a debt is not made. */
function returnable(member: Member, kind: Kind): number {
  const free = exact(member.balances, kind) - exact(member.held, kind);
  return Math.max(0, Number(free) - Math.max(0, kind.minimumBalance));
}

/** What is on hold can be released from whom it cannot be taken. */
export const canCapture = (member: Member, kind: Kind): boolean =>
  canMove(member, kind) && (member.balances[kind.id] ?? 0) > kind.minimumBalance;

/** A hold expires on time, also while one looks at it. */
export const holdStatus = ({ status, expiresAt }: Hold, now: number): Hold['status'] =>
  status === 'open' && Date.parse(expiresAt) <= now ? 'expired' : status;

/** Why so many points cannot be added; null if they can. */
export const addRefusal = (member: Member, kind: Kind, realm: Realm, tokens: number) =>
  moveRefusal(member, kind) ??
  roomRefusal(member, kind, tokens) ??
  sizeRefusal(kind, realm, tokens);

const roomRefusal = (member: Member, kind: Kind, tokens: number): string | null =>
  tokens > roomFor(member, kind)
    ? `The highest allowed balance is ${formatNumber(kind.maximumBalance)}.`
    : null;

/** Why so many points cannot be taken, given or put on hold; null if they can. */
export function spendRefusal(member: Member, kind: Kind, realm: Realm, tokens: number) {
  const stopped = moveRefusal(member, kind);
  const available = exact(member.available, kind);
  if (stopped !== null || tokens <= available) return stopped ?? sizeRefusal(kind, realm, tokens);
  const because = boundsOf(member, kind, kind.minimumBalance);
  return `Only ${amountOf(available, kind)} available${because}.`;
}

/** Why so many points of a movement cannot be moved back; null if they can. */
export function reverseRefusal(
  member: Member,
  kind: Kind,
  transaction: Transaction,
  tokens: number,
): string | null {
  const stopped = moveRefusal(member, kind);
  if (stopped !== null) return stopped;
  const left = leftOf(transaction);
  if (tokens > left) return `Only ${amountOf(left, kind)} of this movement are left to undo.`;
  if (transaction.tokens < 0) return roomRefusal(member, kind, tokens);
  const most = returnable(member, kind);
  const because = boundsOf(member, kind, Math.max(0, kind.minimumBalance));
  return tokens > most ? `Only ${amountOf(most, kind)} can be taken back${because}.` : null;
}

/** Why not all of a balance can be spent. */
function boundsOf(member: Member, kind: Kind, lowest: number): string {
  const held = exact(member.held, kind);
  const reasons = [
    held > 0n && `${formatNumber(held)} are on hold`,
    lowest !== 0 && `the lowest allowed balance is ${formatNumber(lowest)}`,
  ].filter(Boolean);
  return reasons.length > 0 ? `: ${reasons.join(', and ')}` : '';
}

/** Why so many of the points on hold cannot be captured; null if they can. */
export function captureRefusal(member: Member, kind: Kind, hold: Hold, tokens: number) {
  const stopped = moveRefusal(member, kind);
  if (stopped !== null) return stopped;
  if (tokens > hold.remaining) return `Only ${amountOf(hold.remaining, kind)} are on hold.`;
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
