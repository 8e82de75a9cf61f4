import type { JournalRecord } from '../domain/rules/journal.ts';
import { iso } from '../domain/rules/time.ts';

/** An event as the feed gives it. The data of a record is JSON already, and stays as it is. */
export const eventText = ({ seq, type, at, actor, data }: Omit<JournalRecord, 'hash'>): string =>
  `{"seq":${seq},"type":${JSON.stringify(type)},"at":"${iso(at)}",` +
  `"actor":${JSON.stringify(actor)},"data":${data}}`;
