import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks: secrets are bytes in base64 behind a prefix. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

interface Signed {
  /** The same for each attempt to deliver a message. */
  id: string;
  /** The instant of the attempt. */
  at: number;
  body: string;
}

/** The headers of a message, with a signature by each secret. */
export function signedHeaders(
  { id, at, body }: Signed,
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
