import type { CommandOf, Details, PointsCaptured } from '../commands.ts';
import { type Hold, type HoldStatus, MAX_OPEN_HOLDS, MAX_OPEN_HOLDS_IN_ALL } from '../model.ts';
import { present, Refused, refuseBeyond } from '../refusal.ts';
import type { Books } from './books.ts';
import {
  changeBalance,
  refuseBelowFloor,
  refuseFrozen,
  refuseOverdraft,
  refuseTooMany,
  refuseTransfer,
  remarksOf,
} from './points.ts';
import { iso } from './time.ts';

/** Sets points aside: they stay in the balance, but nothing else can spend them. */
export function createHold(books: Books, command: CommandOf<'hold.create'>): Hold {
  const { memberId, tokens } = command;
  books.requireMember(memberId);
  const kind = books.movableKind(command.realmPointId);
  refuseTooMany(books, tokens);
  refuseFrozen(books, memberId);
  refuseOverdraft(books, memberId, kind, tokens);
  refuseFurtherHold(books, memberId, kind.id);
  const expiresAt = books.now + command.expiresInSeconds * 1000;
  const amount = { memberId, tokens, realmPointId: kind.id };
  const id = books.record('points.held', {
    ...amount,
    expiresAt: iso(expiresAt),
    ...remarksOf(command),
  });
  const { description, reference = null, metadata } = command;
  const hold: Hold = {
    id,
    ...amount,
    captured: 0,
    status: 'open',
    description,
    reference,
    metadata: metadata ? JSON.stringify(metadata) : null,
    createdAt: books.now,
    expiresAt,
  };
  books.balances.setHold(hold);
  return hold;
}

function refuseFurtherHold(books: Books, memberId: string, realmPointId: string): void {
  const openIn = (id: string): number => books.balances.openHoldCount(memberId, id);
  const ofOneKind = 'open holds of a member in one kind of points';
  refuseBeyond(MAX_OPEN_HOLDS, openIn(realmPointId), ofOneKind);
  let open = 0;
  for (const { id } of books.kinds.values()) open += openIn(id);
  refuseBeyond(MAX_OPEN_HOLDS_IN_ALL, open, 'open holds of a member in all kinds of points');
}

/** Spends held points, in full or in part, or pays them to a recipient. */
export function captureHold(books: Books, command: CommandOf<'hold.capture'>): PointsCaptured {
  const { recipientId } = command;
  const hold = presentHold(books, command.holdId);
  const { memberId } = hold;
  if (recipientId !== null) books.requireRecipient(recipientId);
  refuseClosed(books, hold);
  const remaining = hold.tokens - hold.captured;
  const tokens = command.tokens ?? remaining;
  const kind = books.movableKind(hold.realmPointId);
  if (recipientId !== null) refuseTransfer(books, memberId, recipientId, kind);
  refuseFrozen(books, memberId);
  if (recipientId !== null) refuseFrozen(books, recipientId);
  if (tokens > remaining) {
    throw new Refused('hold-exceeded', { holdId: hold.id, remaining, requested: tokens });
  }
  // The floor may have been raised since, and a wrong clock may have ended the hold for a while.
  refuseBelowFloor(books, memberId, kind, tokens);
  const captured = hold.captured + tokens;
  const next: Hold = { ...hold, captured, status: captured === hold.tokens ? 'captured' : 'open' };
  books.balances.setHold(next);
  const newBalance = changeBalance(books, memberId, kind, -tokens);
  const paid = recipientId !== null && {
    recipientId,
    recipientBalance: changeBalance(books, recipientId, kind, tokens),
  };
  const transactionId = books.record('points.captured', {
    holdId: hold.id,
    memberId,
    tokens,
    realmPointId: kind.id,
    newBalance,
    ...paid,
    ...remarksOf(saidOf(hold, command)),
  });
  return { transactionId, hold: next, tokens, newBalance, ...paid };
}

/** What was said of a hold is said of its captures, unless they say something else. */
const saidOf = (hold: Hold, { reference, metadata }: Details) => ({
  description: hold.description,
  reference: reference ?? hold.reference ?? undefined,
  metadata: metadata ?? (hold.metadata === null ? undefined : JSON.parse(hold.metadata)),
});

export function releaseHold(books: Books, { holdId }: CommandOf<'hold.release'>): Hold {
  const hold = presentHold(books, holdId);
  refuseClosed(books, hold);
  return closeHold(books, hold);
}

/** Records the expiry of a hold. Its points have been available since it expired. */
export function expireHold(books: Books, { holdId }: CommandOf<'hold.expire'>): Hold {
  const hold = present(books.holds.get(String(holdId)), 'hold-not-found', { holdId });
  const isDue = hold.status === 'open' && hold.expiresAt <= books.now;
  return isDue ? closeHold(books, hold) : hold;
}

/** Ends an open hold: it is released, unless it has expired. */
export function closeHold(books: Books, hold: Hold): Hold {
  const isExpired = hold.expiresAt <= books.now;
  const next: Hold = { ...hold, status: isExpired ? 'expired' : 'released' };
  books.balances.setHold(next);
  books.record('points.released', {
    holdId: hold.id,
    memberId: hold.memberId,
    tokens: hold.tokens - hold.captured,
    realmPointId: hold.realmPointId,
    ...(isExpired && { expiredAt: iso(hold.expiresAt) }),
  });
  return next;
}

function presentHold(books: Books, holdId: number): Hold {
  const hold = books.holds.get(String(holdId));
  if (!hold || !books.isPresent(hold.memberId)) throw new Refused('hold-not-found', { holdId });
  return hold;
}

function refuseClosed(books: Books, hold: Hold): void {
  const status = holdStatus(hold, books.now);
  if (status !== 'open') {
    throw new Refused('hold-closed', { holdId: hold.id, holdStatus: status });
  }
}

/** Holds of one stored status: those that have expired, those that have not, or all. */
export interface HoldSource {
  status: HoldStatus;
  isExpired: boolean | null;
}

export const HOLD_STATUSES: readonly HoldStatus[] = ['open', 'captured', 'released', 'expired'];

/** Where the holds are that have this status now; null for any status. */
export function holdSources(status: HoldStatus | null): HoldSource[] {
  if (status === null) return HOLD_STATUSES.map((each) => ({ status: each, isExpired: null }));
  if (status === 'open') return [{ status, isExpired: false }];
  const unrecorded: HoldSource = { status: 'open', isExpired: true };
  return [{ status, isExpired: null }, ...(status === 'expired' ? [unrecorded] : [])];
}

/** The status at an instant: a hold expires on time, even before its expiry is recorded. */
export function holdStatus(hold: Hold, now: number): HoldStatus {
  return hold.status === 'open' && hold.expiresAt <= now ? 'expired' : hold.status;
}
