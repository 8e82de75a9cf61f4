import type { CommandOf, PointsCaptured } from '../commands.ts';
import { type Hold, type HoldStatus, MAX_OPEN_HOLDS } from '../model.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { insufficiency, move, refuseFrozen, refuseTooMany, shift } from './movement.ts';

/** Sets points aside. They stay in the balance, but nothing else can spend them. */
export function createHold(books: Books, command: CommandOf<'hold.create'>): Hold {
  const { memberId, tokens, description } = command;
  if (!books.isPresent(memberId)) throw new Refused('member-not-found', { memberId });
  const kind = books.kind(command.realmPointId);
  refuseTooMany(books, tokens);
  refuseFrozen(books, memberId);
  if (books.available(memberId, kind.id) - tokens < kind.minimumBalance) {
    throw new Refused('insufficient-points', insufficiency(books, memberId, kind, tokens));
  }
  if (books.openHolds(memberId, kind.id).length >= MAX_OPEN_HOLDS) {
    const of = 'open holds of a member in one kind of points';
    throw new Refused('limit-reached', { limit: MAX_OPEN_HOLDS, of });
  }
  const expiresAt = books.at + command.expiresInSeconds * 1000;
  const id = books.record('points.held', {
    memberId,
    tokens,
    realmPointId: kind.id,
    expiresAt: new Date(expiresAt).toISOString(),
    ...(description !== null && { description }),
  });
  const hold: Hold = {
    id,
    memberId,
    realmPointId: kind.id,
    tokens,
    captured: 0,
    status: 'open',
    description,
    createdAt: books.at,
    expiresAt,
  };
  books.setHold(hold);
  return hold;
}

/** Takes held points, all that are left or a part, for good or for a recipient. */
export function captureHold(books: Books, command: CommandOf<'hold.capture'>): PointsCaptured {
  const { recipientId } = command;
  const hold = knownHold(books, command.holdId);
  if (recipientId !== null && !books.isPresent(recipientId)) {
    throw new Refused('recipient-not-found', { recipientId });
  }
  refuseClosed(books, hold);
  const remaining = hold.tokens - hold.captured;
  const tokens = command.tokens ?? remaining;
  const kind = books.kind(hold.realmPointId);
  if (recipientId === hold.memberId) throw new Refused('self-transfer', { memberId: recipientId });
  if (recipientId !== null && !books.realm.settings.transfers)
    throw new Refused('transfers-disabled');
  if (recipientId !== null && !kind.isTransferable) {
    throw new Refused('not-transferable', { realmPointId: kind.id });
  }
  refuseFrozen(books, hold.memberId);
  if (recipientId !== null) refuseFrozen(books, recipientId);
  if (tokens > remaining) {
    throw new Refused('hold-exceeded', { holdId: hold.id, remaining, requested: tokens });
  }
  const captured = hold.captured + tokens;
  const next: Hold = { ...hold, captured, status: captured === hold.tokens ? 'captured' : 'open' };
  books.setHold(next);
  const newBalance = shift(books, hold.memberId, kind, -tokens);
  const given =
    recipientId === null
      ? {}
      : {
          recipientId,
          recipientBalance: move(books, recipientId, kind, tokens),
        };
  const transactionId = books.record('points.captured', {
    holdId: hold.id,
    memberId: hold.memberId,
    tokens,
    realmPointId: kind.id,
    newBalance,
    ...given,
    ...(hold.description !== null && { description: hold.description }),
  });
  return { transactionId, hold: next, tokens, newBalance, ...given };
}

export function releaseHold(books: Books, { holdId }: CommandOf<'hold.release'>): Hold {
  const hold = knownHold(books, holdId);
  refuseClosed(books, hold);
  return close(books, hold, 'released');
}

/** Changes nothing that counts: an expired hold is held no more, whether this was noted or not. */
export function expireHold(books: Books, { holdId }: CommandOf<'hold.expire'>): Hold {
  const hold = books.holds.get(String(holdId));
  if (!hold) throw new Refused('hold-not-found', { holdId });
  const isDue = hold.status === 'open' && hold.expiresAt <= books.at;
  return isDue ? close(books, hold, 'expired') : hold;
}

/** Ends a hold and notes what it gave back. */
export function close(books: Books, hold: Hold, status: HoldStatus): Hold {
  const next = { ...hold, status };
  books.setHold(next);
  books.record('points.released', {
    holdId: hold.id,
    memberId: hold.memberId,
    tokens: hold.tokens - hold.captured,
    realmPointId: hold.realmPointId,
    ...(status === 'expired' && { expiredAt: new Date(hold.expiresAt).toISOString() }),
  });
  return next;
}

function knownHold(books: Books, holdId: number): Hold {
  const hold = books.holds.get(String(holdId));
  if (!hold || !books.isPresent(hold.memberId)) throw new Refused('hold-not-found', { holdId });
  return hold;
}

function refuseClosed(books: Books, hold: Hold): void {
  const status = holdStatus(hold, books.at);
  if (status === 'open') return;
  throw new Refused('hold-closed', { holdId: hold.id, holdStatus: status });
}

/** A hold is over at its instant, whether or not anything has noted it. */
export function holdStatus(hold: Hold, now: number): HoldStatus {
  return hold.status === 'open' && hold.expiresAt <= now ? 'expired' : hold.status;
}
