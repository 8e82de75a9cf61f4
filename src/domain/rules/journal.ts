import { hash } from 'node:crypto';
import type { RealmRow } from '../model.ts';
import { NO_PERSONAL_PART, type PersonalPart, PUBLIC_FIELDS, type RecordOf } from '../records.ts';

/** A record of the batch being decided. Its salt is null if it has no personal part. */
export type UnsealedRecord = RecordOf & { actor: string; salt: string | null };

/** As stored. `data`, without the personal part, is never reformatted: its bytes are hashed. */
export interface JournalRecord extends PersonalPart {
  seq: number;
  type: string;
  at: number;
  actor: string;
  data: string;
  hash: string;
}

export const GENESIS = '0'.repeat(64);

export const NEW_JOURNAL: Pick<RealmRow, 'seq' | 'head' | 'lastAt' | 'clockAt' | 'setBackSeq'> = {
  seq: 0,
  head: GENESIS,
  lastAt: 0,
  clockAt: 0,
  setBackSeq: null,
};

/** With the realm's id, so that a record of one realm cannot be passed off as another's. */
export function recordText(
  realmId: string,
  record: Omit<JournalRecord, 'hash' | 'personal'>,
  at = new Date(record.at).toISOString(),
): string {
  const { personalHash } = record;
  return (
    `{"realmId":${quoted(realmId)},"seq":${record.seq}` +
    `,"type":${quoted(record.type)},"at":"${at}"` +
    `,"actor":${quoted(record.actor)},"data":${record.data}` +
    (personalHash === null ? '}' : `,"personalHash":"${personalHash}"}`)
  );
}

/** A JSON string. Nearly all of these need no escaping, and testing for it costs a third. */
const quoted = (text: string): string =>
  /^[\w.:-]*$/.test(text) ? `"${text}"` : JSON.stringify(text);

/** The hash of a record: it covers the record's text and, by the previous hash, all before it. */
export function chainHash(previous: string, text: string): string {
  return hash('sha256', `${previous}\n${text}`, 'hex');
}

export function seal(
  realmId: string,
  previous: string,
  at: number,
  unsealed: readonly UnsealedRecord[],
): JournalRecord[] {
  let head = previous;
  // Formatted once for the whole batch: it is the most expensive part of the text.
  const instant = new Date(at).toISOString();
  return unsealed.map(({ seq, type, actor, data, salt }) => {
    const texts =
      salt === null ? { data: JSON.stringify(data), ...NO_PERSONAL_PART } : separate(data, salt);
    const record = { seq, type, at, actor, ...texts };
    head = chainHash(head, recordText(realmId, record, instant));
    return { ...record, hash: head };
  });
}

/** A random text for a record's personal part, so that its hash does not confirm a guess. */
export type Salts = (realmId: string, seq: number) => string;

/** It is erased with whom the record names, so only a record that names somebody has it. */
export function hasPersonalPart(data: object): boolean {
  if (!('memberId' in data || 'personId' in data)) return false;
  for (const name in data) if (!PUBLIC_FIELDS.has(name)) return true;
  return false;
}

function separate(data: object, salt: string): PersonalPart & { data: string } {
  const all = data as Record<string, unknown>;
  const rest: Record<string, unknown> = {};
  const part: Record<string, unknown> = { salt };
  // Taken out by `delete`, the personal part made a record take 5.8 us to be sealed, not 3.9.
  for (const name in all) (PUBLIC_FIELDS.has(name) ? rest : part)[name] = all[name];
  const personal = JSON.stringify(part);
  return { data: JSON.stringify(rest), personal, personalHash: personalHashOf(personal) };
}

export const personalHashOf = (personal: string): string => hash('sha256', personal, 'hex');

/** The salt of a stored record; null if it has no personal part, or no longer. */
export const saltOf = ({ personal }: PersonalPart): string | null =>
  personal === null ? null : String(JSON.parse(personal).salt);

/** By this much clocks differ without anybody noticing: a batch then repeats the last instant. */
export const CLOCK_TOLERANCE_MS = 5_000;

type RealmClock = Pick<RealmRow, 'seq' | 'lastAt' | 'clockAt' | 'setBackSeq'>;

/**
 * The realm's instants after a batch that is decided at `now`. Those of the journal never go back:
 * after a clock that was ahead has been corrected, they repeat the last one until the clock
 * reaches it. Records written meanwhile state their true instant as well (`occurredAt`).
 */
export function clockAfter(
  { seq, lastAt, clockAt: last, setBackSeq }: RealmClock,
  now: number,
): Omit<RealmClock, 'seq'> {
  const isSetBack = now < last - CLOCK_TOLERANCE_MS;
  const clockAt = isSetBack ? now : Math.max(now, last);
  if (clockAt >= lastAt) return { lastAt: clockAt, clockAt, setBackSeq: null };
  return { lastAt, clockAt, setBackSeq: isSetBack ? seq + 1 : setBackSeq };
}

/** When a record was written: `at`, unless the journal was ahead of the clock. */
export const instantOf = (at: number, { occurredAt }: { occurredAt?: string }): number =>
  occurredAt === undefined ? at : Date.parse(occurredAt);
