import { wholeData } from '../domain/personal.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { iso } from '../domain/rules/time.ts';

/** An event as the feed gives it. The data of a record is JSON already, and stays as it is. */
export function eventText(record: Omit<JournalRecord, 'hash'>): string {
  const { seq, type, at, actor } = record;
  return (
    `{"seq":${seq},"type":${JSON.stringify(type)},"at":"${iso(at)}",` +
    `"actor":${JSON.stringify(actor)},"data":${wholeData(record)}}`
  );
}
