import type {
  BatchEntryOutcome,
  CommandOf,
  Details,
  MemberFields,
  PointsChange,
  PointsChanged,
  PointsEntry,
  PointsTransfer,
  PointsTransferred,
} from '../commands.ts';
import type { PointKind, Remarks } from '../model.ts';
import type { Records } from '../records.ts';
import { type Refusal, Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { enrol } from './members.ts';
import { called } from './naming.ts';
import { rollBack, spendable } from './tables.ts';

/** Credits points to a member, or debits them where `tokens` is negative. */
export function changePoints(books: Books, entry: PointsChange): PointsChanged {
  const { memberId } = entry;
  const isNew = entry.tokens > 0 && canEnrol(books, memberId);
  if (!isNew) books.requireMember(memberId);
  const kind = books.movableKind(entry.realmPointId);
  refuseTooMany(books, entry.tokens);
  if (isNew) enrol(books, memberId, nameOf(entry));
  refuseFrozen(books, memberId);
  const tokens = entry.tokens < 0 ? -spent(books, kind, entry, -entry.tokens) : entry.tokens;
  const data = {
    memberId,
    tokens: Math.abs(tokens),
    realmPointId: kind.id,
    newBalance: changeBalance(books, memberId, kind, tokens),
    ...remarksOf(entry),
  };
  const seq = books.record(tokens > 0 ? 'points.added' : 'points.subtracted', data);
  return changeAnswer(seq, data, entry.upTo);
}

export function transferPoints(books: Books, command: PointsTransfer): PointsTransferred {
  const { memberId, recipientId } = command;
  books.requireMember(memberId);
  const isNew = canEnrol(books, recipientId);
  if (!isNew) books.requireRecipient(recipientId);
  const kind = books.movableKind(command.realmPointId);
  refuseTransfer(books, memberId, recipientId, kind);
  refuseTooMany(books, command.tokens);
  if (isNew) enrol(books, recipientId, nameOf(command));
  refuseFrozen(books, memberId);
  refuseFrozen(books, recipientId);
  const tokens = spent(books, kind, command, command.tokens);
  const data = {
    memberId,
    recipientId,
    tokens,
    realmPointId: kind.id,
    senderBalance: changeBalance(books, memberId, kind, -tokens),
    recipientBalance: changeBalance(books, recipientId, kind, tokens),
    ...remarksOf(command),
  };
  return transferAnswer(books.record('points.transferred', data), data);
}

/** All or none if `atomic`, otherwise each on its own. `list` is the field that they are in. */
export function executeEach<Entry, Result>(
  books: Books,
  { atomic, list }: { atomic: boolean; list: string },
  entries: readonly Entry[],
  execute: (entry: Entry) => Result,
  refused: (entry: Entry, refusal: Refusal) => Result,
): Result[] {
  return entries.map((entry, index) => {
    const savepoint = books.undo.length;
    try {
      return execute(entry);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, extra } = error.refusal;
      if (atomic) throw new Refused(code, extra, `/${list}/${index}`);
      rollBack(books.undo, savepoint);
      return refused(entry, error.refusal);
    }
  });
}

export function changeMany(
  books: Books,
  { atomic, entries }: CommandOf<'points.batch'>,
): BatchEntryOutcome[] {
  return executeEach<PointsChange | PointsTransfer, BatchEntryOutcome>(
    books,
    { atomic, list: 'entries' },
    entries,
    (entry) => {
      if (entry.tokens === 0) return unchanged(books, entry);
      const moved =
        'recipientId' in entry ? transferPoints(books, entry) : changePoints(books, entry);
      const { realmPointId: _, ...result } = moved;
      return result;
    },
    ({ memberId }, refusal) => ({ memberId, refusal }),
  );
}

/** An entry of 0 moves nothing, so only an unknown member or kind is refused. */
function unchanged(books: Books, { memberId, realmPointId }: PointsEntry): BatchEntryOutcome {
  if (!canEnrol(books, memberId)) books.requireMember(memberId);
  const newBalance = books.balances.of(memberId, books.kind(realmPointId).id);
  return { memberId, newBalance, transactionId: null };
}

/** The answer to a change or a transfer of before: its record contains all of it. */
export function answerFromRecord(
  books: Books,
  seq: number,
  upTo: boolean | undefined,
): PointsChanged | PointsTransferred {
  const record = books.movementAt(seq);
  switch (record?.type) {
    case 'points.added':
    case 'points.subtracted':
      return changeAnswer(seq, record.data, upTo);
    case 'points.transferred':
      return transferAnswer(seq, record.data);
    default:
      throw new Error(`record ${seq} was not loaded, or has no answer in it`);
  }
}

function changeAnswer(
  transactionId: number,
  { memberId, tokens, realmPointId, newBalance }: Records['points.added'],
  upTo: boolean | undefined,
): PointsChanged {
  return { transactionId, memberId, realmPointId, newBalance, ...(upTo && { tokens }) };
}

function transferAnswer(
  transactionId: number,
  data: Records['points.transferred'],
): PointsTransferred {
  const { memberId, recipientId, tokens, realmPointId, senderBalance, recipientBalance } = data;
  const balances = { senderBalance, recipientBalance };
  return { transactionId, memberId, recipientId, tokens, realmPointId, ...balances };
}

/** What a caller says of a movement, as its record has it. */
export const remarksOf = ({
  description,
  reference,
  metadata,
}: Details & { description: string | null }): Remarks => ({
  ...(description !== null && { description }),
  ...(reference !== undefined && { reference }),
  ...(metadata !== undefined && { metadata }),
});

/** A credit enrols only an id that was never a member's: a removed member stays removed. */
export function canEnrol(books: Books, memberId: string): boolean {
  return books.realm.settings.autoEnroll && books.status(memberId) === undefined;
}

const nameOf = ({ username }: PointsChange): MemberFields => (username ? { username } : {});

export function refuseTooMany(books: Books, tokens: number): void {
  const limit = books.realm.settings.maxTokensPerRequest;
  if (limit !== null && Math.abs(tokens) > limit) {
    throw new Refused('too-many-tokens', { limit, requested: Math.abs(tokens) });
  }
}

export function refuseFrozen(books: Books, memberId: string): void {
  if (books.status(memberId) !== 'frozen') return;
  throw new Refused('member-frozen', called(books, memberId));
}

/**
 * Refuses to pass points between members where the realm or the kind does not allow it. A transfer
 * to oneself would need more than another rule: a record has at most one posting per member and
 * kind of points, which the key of `entries`, reversals and statements rely on.
 */
export function refuseTransfer(
  books: Books,
  memberId: string,
  recipientId: string,
  kind: PointKind,
): void {
  if (memberId === recipientId) throw new Refused('self-transfer', { memberId });
  if (!books.realm.settings.transfers) throw new Refused('transfers-disabled');
  if (kind.isTransferable) return;
  throw new Refused('not-transferable', { realmPointId: kind.id, kind: kind.name });
}

/** How many of the points are spent: all or, with `upTo`, as many as can be, at least 1. */
function spent(
  books: Books,
  kind: PointKind,
  { memberId, upTo }: PointsChange,
  tokens: number,
): number {
  if (!upTo) {
    refuseOverdraft(books, memberId, kind, tokens);
    return tokens;
  }
  const { balances } = books;
  const held = balances.held(memberId, kind.id);
  const left = spendable(balances.of(memberId, kind.id), held, kind.minimumBalance);
  if (left === 0) refuseOverdraft(books, memberId, kind, 1);
  return Math.min(tokens, Number(left));
}

/** Refuses to spend points that are held, or that would take the balance below the floor. */
export function refuseOverdraft(
  books: Books,
  memberId: string,
  kind: PointKind,
  tokens: number,
  floor = kind.minimumBalance,
): void {
  const left = books.balances.available(memberId, kind.id) - tokens;
  if (left < floor) throw insufficientPoints(books, memberId, kind, tokens, floor);
}

/** Refuses to take the balance below the floor, even by points that were held for it. */
export function refuseBelowFloor(
  books: Books,
  memberId: string,
  kind: PointKind,
  tokens: number,
): void {
  const left = books.balances.of(memberId, kind.id) - tokens;
  if (left < kind.minimumBalance) throw insufficientPoints(books, memberId, kind, tokens);
}

function insufficientPoints(
  books: Books,
  memberId: string,
  kind: PointKind,
  requested: number,
  minimumBalance = kind.minimumBalance,
): Refused {
  const balance = books.balances.of(memberId, kind.id);
  const held = books.balances.held(memberId, kind.id);
  const extra = {
    ...called(books, memberId, kind),
    balance,
    requested,
    ...(held !== 0 && { held }),
    ...(!kind.isDefault && { realmPointId: kind.id }),
    ...(minimumBalance !== 0 && { minimumBalance }),
  };
  return new Refused('insufficient-points', extra);
}

/** Adds to a balance, or subtracts where `tokens` is negative, and returns the new balance. */
export function changeBalance(
  books: Books,
  memberId: string,
  kind: PointKind,
  tokens: number,
  isActivity = true,
): number {
  const balance = books.balances.of(memberId, kind.id);
  const next = balance + tokens;
  if (tokens > 0 && next > kind.maximumBalance) {
    const limit = { realmPointId: kind.id, balance, limit: kind.maximumBalance };
    throw new Refused('balance-limit', { ...called(books, memberId, kind), ...limit });
  }
  books.balances.set(memberId, kind.id, next, isActivity);
  return next;
}
