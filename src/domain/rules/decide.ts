import type { AnswerTo, Command, CommandName, CommandOf, Outcome } from '../commands.ts';
import type { RealmChanges, RealmFacts, Receipt } from '../facts.ts';
import { Refused } from '../refusal.ts';
import { createAsset, deleteAsset } from './assets.ts';
import { Books, type RecordView } from './books.ts';
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
    books.recordIdempotency(key, fingerprint, receiptFor(command, answer));
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
  const answer =
    before.answer === null
      ? answerOfRecord(command.type, books.recordAt(before.seq))
      : JSON.parse(before.answer);
  return { answer, replayed: true };
}

function receiptFor(command: Command, answer: unknown): Receipt {
  if (command.type === 'points.change' || command.type === 'points.transfer') {
    return { answer: null, seq: (answer as { transactionId: number }).transactionId };
  }
  return { answer: JSON.stringify(answer), seq: null };
}

function answerOfRecord(type: CommandName, record: RecordView | undefined): unknown {
  if (!record) throw new Error('the record that tells the answer was not loaded');
  const { seq, data } = record;
  return type === 'points.transfer'
    ? transferredReceipt(seq, data as unknown as Parameters<typeof transferredReceipt>[1])
    : changedReceipt(seq, data as unknown as Parameters<typeof changedReceipt>[1]);
}
