import { createHmac, randomBytes } from 'node:crypto';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { iso } from '../domain/rules/time.ts';
import { eventText } from '../ledger/feeds/event-page.ts';

/**
 * The event as the feed gives it, with its realm and its instant. The id is the same whenever this
 * event is sent to this webhook.
 */
export function messageOf(
  realmId: string,
  webhookId: string,
  record: Omit<JournalRecord, 'hash'>,
): { id: string; body: string } {
  const more = JSON.stringify({ realmId, timestamp: iso(record.at) }).slice(1);
  const body = `${eventText(record).slice(0, -1)},${more}`;
  return { id: `msg_${webhookId}_${record.seq}`, body };
}

/** The type of a message that is about no event. */
export const TEST_TYPE = 'webhook.test';

/** Standard Webhooks: secrets are bytes in base64 behind a prefix. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The headers of a message, signed by each secret. `at` is the instant of the attempt. */
export function signedHeaders(
  { id, at, body }: { id: string; at: number; body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => `v1,${sign(secret, `${id}.${timestamp}.${body}`)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
