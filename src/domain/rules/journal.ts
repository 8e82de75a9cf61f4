import { hash } from 'node:crypto';

/** One thing that happened to a realm, before it has its place in the journal. */
export interface UnsealedRecord {
  type: string;
  actor: string;
  data: Record<string, unknown>;
}

/** One record of a realm's journal. `data` is JSON text, kept to the byte: the hash covers it. */
export interface JournalRecord {
  seq: number;
  type: string;
  at: number;
  actor: string;
  data: string;
  hash: string;
}

/** The head of an empty journal. */
export const GENESIS = '0'.repeat(64);

/**
 * The text that a record's hash covers, besides the hash before it. The realm's id is in it, so
 * that one realm's records cannot pass for another's.
 */
export function recordText(
  realmId: string,
  record: Omit<JournalRecord, 'hash'>,
  at = new Date(record.at).toISOString(),
): string {
  return (
    `{"realmId":${quoted(realmId)},"seq":${record.seq}` +
    `,"type":${quoted(record.type)},"at":"${at}"` +
    `,"actor":${quoted(record.actor)},"data":${record.data}}`
  );
}

/** As JSON has it. These texts are nearly always plain: then a third of the time does. */
const quoted = (text: string): string =>
  /^[\w.:-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);

/** Binds a record to the one before it. */
export function chainHash(previous: string, text: string): string {
  return hash('sha256', `${previous}\n${text}`, 'hex');
}

/** Gives unsealed their places after the journal's present end. */
export function seal(
  realmId: string,
  end: { seq: number; head: string },
  at: number,
  unsealed: readonly UnsealedRecord[],
): JournalRecord[] {
  let { seq, head } = end;
  // Written once for the whole batch: it is the dearest part of the text.
  const instant = new Date(at).toISOString();
  return unsealed.map(({ type, actor, data }) => {
    seq += 1;
    const record = { seq, type, at, actor, data: JSON.stringify(data) };
    head = chainHash(head, recordText(realmId, record, instant));
    return { ...record, hash: head };
  });
}
