import { hash } from 'node:crypto';
import type { Command, Outcome } from '../commands.ts';
import type { IdempotencyRecord } from '../facts.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { saltOf } from './personal-parts.ts';
import { answerFromRecord } from './points.ts';

/** Stores the answer to a command for the next request with the same key. */
export function storeAnswer(books: Books, command: Command, answer: unknown): void {
  if (!command.idempotency) return;
  const { key, fingerprint } = command.idempotency;
  const stored = isInRecord(command)
    ? { fingerprint: salted(books, books.seq, fingerprint), answer: null, seq: books.seq }
    : { fingerprint, answer: JSON.stringify(answer), seq: null };
  books.idempotencyRecords.set(key, { key, at: books.now, ...stored });
}

/** Whether its last record contains all of the answer, and all that the request says of a person. */
const isInRecord = (command: Command): boolean =>
  (command.type === 'points.change' || command.type === 'points.transfer') && !command.username;

/** The outcome of an earlier execution of the same request, if there was one. */
export function replay(books: Books, { idempotency }: Command): Outcome | undefined {
  const before = idempotency && books.idempotencyRecords.get(idempotency.key);
  // The answers of a deleted realm are gone with it, though not yet removed.
  if (!before || books.isDeleted) return undefined;
  if (isErased(books, before)) throw new Refused('answer-erased');
  const fingerprint = salted(books, before.seq, idempotency.fingerprint);
  if (before.fingerprint !== fingerprint) throw new Refused('idempotency-key-reused');
  const answer =
    before.answer === null ? answerFromRecord(books, before.seq) : JSON.parse(before.answer);
  return { answer, replayed: true };
}

/** Whether the answer was erased, with a member that it or its record names. */
function isErased(books: Books, { answer, seq }: IdempotencyRecord): boolean {
  if (answer !== null) return answer === '';
  const record = books.recordAt(seq);
  if (!record || !('hash' in record)) return false;
  return record.personalHash !== null && record.personal === null;
}

/**
 * The fingerprint of a request with a description would tell whether a guess of the description is
 * right, so the salt of its record goes into it, and is erased with it.
 */
function salted(books: Books, seq: number | null, fingerprint: string): string {
  const record = seq === null ? undefined : books.recordAt(seq);
  const salt = record && ('hash' in record ? saltOf(record) : record.salt);
  return salt ? hash('sha256', `${salt} ${fingerprint}`, 'base64url') : fingerprint;
}
