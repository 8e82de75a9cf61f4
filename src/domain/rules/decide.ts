import { hash } from 'node:crypto';
import type { AnswerTo, Command, CommandName, CommandOf, Outcome } from '../commands.ts';
import type { IdempotencyRecord, RealmChanges, RealmFacts } from '../facts.ts';
import { Refused } from '../refusal.ts';
import { Books } from './books.ts';
import * as claims from './claims.ts';
import { enrolMany } from './enrolments.ts';
import * as holds from './holds.ts';
import { type Salts, saltOf } from './journal.ts';
import * as keys from './keys.ts';
import * as members from './members.ts';
import * as offers from './offers.ts';
import * as people from './people.ts';
import * as points from './points.ts';
import * as realms from './realms.ts';
import { removeMember } from './removal.ts';
import { reversePoints } from './reversals.ts';
import { rollBack } from './tables.ts';
import * as wallets from './wallets.ts';
import * as webhooks from './webhooks.ts';

export interface Decision {
  /** One outcome for each command, in order. */
  outcomes: Outcome[];
  changes: RealmChanges[];
}

type Rule<N extends CommandName> = (books: Books, command: CommandOf<N>) => AnswerTo<N>;

const rules: { [N in CommandName]: Rule<N> } = {
  'realm.create': realms.createRealm,
  'realm.update': realms.updateRealm,
  'realm.archive': realms.archiveRealm,
  'realm.delete': realms.deleteRealm,
  'key.create': keys.createKey,
  'key.rotate': keys.rotateKey,
  'key.revoke': keys.revokeKey,
  'person.create': people.createPerson,
  'person.update': people.updatePerson,
  'person.invite': people.invitePerson,
  'person.remove': people.removePerson,
  'member.create': members.createMember,
  'member.put': members.putMember,
  'member.batch': enrolMany,
  'member.update': members.updateMember,
  'member.remove': removeMember,
  'wallet.challenge': wallets.issueChallenge,
  'wallet.link': wallets.linkWallet,
  'wallet.invite': wallets.inviteWallet,
  'wallet.unlink': wallets.unlinkWallet,
  'points.change': points.changePoints,
  'points.transfer': points.transferPoints,
  'points.batch': points.changeMany,
  'points.reverse': reversePoints,
  'kind.create': realms.createKind,
  'kind.update': realms.updateKind,
  'asset.create': realms.createAsset,
  'asset.delete': realms.deleteAsset,
  'webhook.create': webhooks.createWebhook,
  'webhook.update': webhooks.updateWebhook,
  'webhook.rotate': webhooks.rotateWebhook,
  'webhook.replay': webhooks.replayWebhook,
  'webhook.delete': webhooks.deleteWebhook,
  'webhook.pause': webhooks.pauseWebhook,
  'offer.create': offers.createOffer,
  'offer.update': offers.updateOffer,
  'offer.draw': offers.drawOffer,
  'offer.claim': claims.claimOffer,
  'claim.deliver': claims.deliverClaim,
  'claim.reject': claims.rejectClaim,
  'hold.create': holds.createHold,
  'hold.capture': holds.captureHold,
  'hold.release': holds.releaseHold,
  'hold.expire': holds.expireHold,
};

/**
 * The commands that an archived realm executes. Holds end there too, at their instant, and the
 * service records it; a key that has leaked must not read on, nor a person or receiver who is to
 * be told no more.
 */
const IN_ARCHIVED: ReadonlySet<CommandName> = new Set<CommandName>([
  'realm.archive',
  'realm.delete',
  'key.revoke',
  'person.remove',
  'hold.expire',
  'webhook.delete',
  'webhook.pause',
]);

/** In order, each on top of those before it. Pure: the clock and all randomness come in. */
export function decide(
  facts: readonly RealmFacts[],
  commands: readonly Command[],
  now: number,
  salts: Salts,
): Decision {
  const byRealm = new Map(facts.map((each) => [each.realmId, new Books(each, now, salts)]));
  const outcomes = commands.map((command) => {
    const books = byRealm.get(command.realmId);
    if (books) return decideOne(books, command);
    return { fault: `no facts were loaded for realm ${command.realmId}` };
  });
  const changes = Array.from(byRealm.values(), (books) => books.changes());
  return { outcomes, changes: changes.filter((each) => each !== null) };
}

function decideOne(books: Books, command: Command): Outcome {
  try {
    const outcome = replay(books, command) ?? execute(books, command);
    books.undo.length = 0;
    return outcome;
  } catch (error) {
    rollBack(books.undo);
    if (error instanceof Refused) return { refusal: error.refusal };
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function execute<N extends CommandName>(books: Books, command: CommandOf<N> & Command): Outcome {
  const { type } = command;
  if (type !== 'realm.create' && books.realm.archivedAt !== null && !IN_ARCHIVED.has(type)) {
    throw new Refused('realm-archived', { realmId: books.realmId });
  }
  books.actor = command.actor;
  books.onBehalfOf = command.onBehalfOf;
  const before = books.seq;
  const answer = rules[type](books, command);
  storeAnswer(books, command, answer, books.seq - before);
  return { answer, replayed: false };
}

function storeAnswer(books: Books, command: Command, answer: unknown, records: number): void {
  if (!command.idempotency) return;
  const { key, fingerprint } = command.idempotency;
  const { seq } = books;
  const stored = isInRecord(command)
    ? { fingerprint: salted(books, seq, fingerprint), answer: null }
    : { fingerprint, answer: JSON.stringify(answer) };
  books.idempotencyRecords.set(key, { key, at: books.now, seq, records, ...stored });
}

/** Whether its last record contains the whole answer, and all that the request says of a person. */
const isInRecord = (command: Command): boolean =>
  command.type === 'offer.claim' ||
  ((command.type === 'points.change' || command.type === 'points.transfer') && !command.username);

function replay(books: Books, command: Command): Outcome | undefined {
  const { idempotency } = command;
  const before = idempotency && books.idempotencyRecords.get(idempotency.key);
  // The answers of a deleted realm are gone with it, though not yet removed.
  if (!before || books.isDeleted) return undefined;
  if (isErased(books, before)) throw new Refused('answer-erased');
  const { seq, answer: text } = before;
  const sent = idempotency.fingerprint;
  const fingerprint = text === null ? salted(books, seq, sent) : sent;
  if (before.fingerprint !== fingerprint) throw new Refused('idempotency-key-reused');
  // It is the same request, so it says the same of `upTo`.
  const upTo = 'upTo' in command && command.upTo;
  const fromRecord = () =>
    command.type === 'offer.claim'
      ? claims.claimAt(books, seq)
      : points.answerFromRecord(books, seq, upTo);
  return { answer: text === null ? fromRecord() : JSON.parse(text), replayed: true };
}

/** Whether the answer was erased, with a member that it or its record names. */
function isErased(books: Books, { fingerprint, answer, seq }: IdempotencyRecord): boolean {
  if (answer !== null) return fingerprint === '';
  const record = books.recordAt(seq);
  if (!record || !('hash' in record)) return false;
  return record.personalHash !== null && record.personal === null;
}

/** Unsalted it would tell whether a guess of a description is right. The salt is erased with it. */
function salted(books: Books, seq: number, fingerprint: string): string {
  const record = books.recordAt(seq);
  const salt = record && ('hash' in record ? saltOf(record) : record.salt);
  return salt ? hash('sha256', `${salt} ${fingerprint}`, 'base64url') : fingerprint;
}
