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

/** Why so many points cannot be added; null if they can. */
export function addRefusal(member: Member, kind: Kind, realm: Realm, tokens: number) {
  const { maximumBalance: most } = kind;
  return (member.balances[kind.id] ?? 0) + tokens > most
    ? `The highest allowed balance is ${formatNumber(most)}.`
    : sizeRefusal(kind, realm, tokens);
}

/** Why so many points cannot be taken, given or set aside; null if they can. */
export function spendRefusal(member: Member, kind: Kind, realm: Realm, tokens: number) {
  const available = member.available[kind.id] ?? 0;
  if (tokens <= available) return sizeRefusal(kind, realm, tokens);
  const held = member.held[kind.id] ?? 0;
  const reasons = [
    held > 0 && `${formatNumber(held)} are set aside`,
    kind.minimumBalance !== 0 &&
      `the lowest allowed balance is ${formatNumber(kind.minimumBalance)}`,
  ].filter(Boolean);
  const because = reasons.length > 0 ? `: ${reasons.join(', and ')}` : '';
  return `Only ${amountOf(available, kind)} can be spent${because}.`;
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
