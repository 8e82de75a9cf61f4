import type { AnswerTo, Command, CommandName, CommandOf, Outcome } from '../commands.ts';
import type { RealmChanges, RealmFacts, Receipt } from '../facts.ts';
import { Refused } from '../refusal.ts';
import { createAsset, deleteAsset } from './assets.ts';
import { Books } from './books.ts';
import { issueChallenge } from './challenges.ts';
import { captureHold, createHold, expireHold, releaseHold } from './holds.ts';
import { createKey, revokeKey, rotateKey } from './keys.ts';
import { createKind, updateKind } from './kinds.ts';
import { createMember, removeMember, updateMember } from './members.ts';
import {
  changedReceipt,
  changeMany,
  changePoints,
  transferPoints,
  transferredReceipt,
} from './points.ts';
import { createRealm, updateRealm } from './realms.ts';
import { reversePoints } from './reversals.ts';
import { linkWallet, unlinkWallet } from './wallets.ts';

export interface Decision {
  /** One for each command, in order. */
  outcomes: Outcome[];
  changes: RealmChanges[];
}

type Rules = { [N in CommandName]: (books: Books, command: CommandOf<N>) => AnswerTo<N> };

const rules: Rules = {
  'realm.create': createRealm,
  'realm.update': updateRealm,
  'key.create': createKey,
  'key.rotate': rotateKey,
  'key.revoke': revokeKey,
  'member.create': createMember,
  'member.update': updateMember,
  'member.remove': removeMember,
  'wallet.challenge': issueChallenge,
  'wallet.link': linkWallet,
  'wallet.unlink': unlinkWallet,
  'points.change': changePoints,
  'points.transfer': transferPoints,
  'points.batch': changeMany,
  'points.reverse': reversePoints,
  'kind.create': createKind,
  'kind.update': updateKind,
  'asset.create': createAsset,
  'asset.delete': deleteAsset,
  'hold.create': createHold,
  'hold.capture': captureHold,
  'hold.release': releaseHold,
  'hold.expire': expireHold,
};

/**
 * Accepts or refuses each command, in order, each seeing the effects of those before it. Pure: the
 * clock and everything random come in with the facts and the commands.
 */
export function decide(
  facts: readonly RealmFacts[],
  commands: readonly Command[],
  now: number,
): Decision {
  const shelf = new Map(facts.map((fact) => [fact.realmId, new Books(fact, now)]));
  const outcomes = commands.map((command) => {
    const books = shelf.get(command.realmId);
    if (!books) return { fault: `no facts were loaded for realm ${command.realmId}` };
    return judge(books, command);
  });
  const changes = [...shelf.values()].flatMap((books) => books.changes() ?? []);
  return { outcomes, changes };
}

function judge(books: Books, command: Command): Outcome {
  try {
    const outcome = replay(books, command) ?? carryOut(books, command);
    books.undo.keep();
    return outcome;
  } catch (error) {
    books.undo.takeBack();
    if (error instanceof Refused) return { refusal: error.refusal };
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function carryOut(books: Books, command: Command): Outcome {
  books.openFor(command);
  const rule = rules[command.type] as (books: Books, command: Command) => unknown;
  if (command.type !== 'realm.create' && !books.exists) {
    throw new Refused('realm-not-found', { realmId: books.realmId });
  }
  const answer = rule(books, command);
  if (command.idempotency) {
    const { key, fingerprint } = command.idempotency;
    books.recordIdempotency(key, fingerprint, receiptFor(command, answer, books.seq));
  }
  return { answer, replayed: false };
}

/** The outcome of the same request done before; undefined when there was none. */
function replay(books: Books, command: Command): Outcome | undefined {
  if (!command.idempotency) return undefined;
  const before = books.idempotencyRecord(command.idempotency.key);
  if (!before) return undefined;
  if (before.fingerprint !== command.idempotency.fingerprint) {
    throw new Refused('idempotency-key-reused');
  }
  const answer = before.answer === null ? answerAt(books, before.seq) : JSON.parse(before.answer);
  return { answer, replayed: true };
}

/** The answer to a command, to be stored for its retries. */
function receiptFor({ type }: Command, answer: unknown, seq: number): Receipt {
  return type === 'points.change' || type === 'points.transfer'
    ? { answer: null, seq }
    : { answer: JSON.stringify(answer), seq: null };
}

function answerAt(books: Books, seq: number): unknown {
  const record = books.movementAt(seq);
  switch (record?.type) {
    case 'points.added':
    case 'points.subtracted':
      return changedReceipt(seq, record.data);
    case 'points.transferred':
      return transferredReceipt(seq, record.data);
    default:
      throw new Error(`record ${seq}, which holds the answer, was not loaded`);
  }
}
