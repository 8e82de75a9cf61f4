import type { JournalRecord } from '../domain/rules/journal.ts';
import { iso } from '../domain/rules/time.ts';
import { eventText } from '../events/event-text.ts';

interface Message {
  /** The `webhook-id`: the same whenever this event is sent to this webhook. */
  id: string;
  body: string;
}

/** The event as the feed gives it, with its realm and its instant. */
export function messageOf(
  realmId: string,
  webhookId: string,
  record: Omit<JournalRecord, 'hash'>,
): Message {
  const more = JSON.stringify({ realmId, timestamp: iso(record.at) }).slice(1);
  const body = `${eventText(record).slice(0, -1)},${more}`;
  return { id: `msg_${webhookId}_${record.seq}`, body };
}

/** The type of a message that is about no event. */
export const TEST_TYPE = 'webhook.test';
