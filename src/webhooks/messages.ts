import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { iso } from '../domain/rules/time.ts';
import type { WebhookRow } from '../domain/webhook.ts';
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

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_LENGTH = 8;

/**
 * Seals the secrets of webhooks, so that a copy of the database does not reveal them. What a
 * secret belongs to is authenticated with it: copied to another webhook, it does not open. It
 * begins with the id of the key, by which a process knows what it can open.
 */
export class SecretBox {
  readonly keyId: string;
  readonly #key: Buffer;

  constructor(secretKey: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secretKey, '', 'realmkeep webhook secrets', 32));
    this.keyId = hash('sha256', this.#key, 'base64url').slice(0, KEY_ID_LENGTH);
  }

  seal(secret: string, owner: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(owner));
    const sealed = [nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()];
    return `${this.keyId}.${Buffer.concat(sealed).toString('base64url')}`;
  }

  /** Null for what was sealed with another key or for another owner, or has been changed. */
  open(sealed: string, owner: string): string | null {
    const [keyId, text = ''] = sealed.split('.');
    if (keyId !== this.keyId) return null;
    const bytes = Buffer.from(text, 'base64url');
    const end = bytes.length - TAG_BYTES;
    if (end < NONCE_BYTES) return null;
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(end));
    try {
      const secret = [decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()];
      return Buffer.concat(secret).toString();
    } catch {
      return null;
    }
  }
}

export const ownerOf = (realmId: string, webhookId: string): string => `${realmId}/${webhookId}`;

type Secrets = Pick<WebhookRow, 'id' | 'secret' | 'previousSecret' | 'previousUntil'>;

/** The secrets that sign at this instant, as far as they can be opened: the current one first. */
export function secretsOf(box: SecretBox, realmId: string, row: Secrets, now: number): string[] {
  const { secret, previousSecret, previousUntil } = row;
  const isOverlap = previousUntil !== null && now < previousUntil;
  const sealed = isOverlap && previousSecret !== null ? [secret, previousSecret] : [secret];
  const owner = ownerOf(realmId, row.id);
  return sealed.flatMap((each) => box.open(each, owner) ?? []);
}
