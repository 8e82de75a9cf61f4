import type { RealmEvent } from './generated.ts';

/** What a webhook delivers: an event of the feed, and the realm that it happened in. */
export type WebhookEvent = RealmEvent & { realmId: string; timestamp: string };

/** A delivery: a `Request`, or its headers and its body exactly as it came. */
export type WebhookRequest =
  | { headers: Pick<Headers, 'get'>; arrayBuffer: () => Promise<ArrayBuffer> }
  | {
      headers: Pick<Headers, 'get'> | Readonly<Record<string, string | string[] | undefined>>;
      body: string | Uint8Array;
    };

export interface WebhookOptions {
  /** How old a delivery may be; 5 minutes by default. */
  toleranceSeconds?: number;
}

/** The delivery is not by the service, was changed on its way, or is too old: answer 400. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError';
}

/**
 * Checks a delivery by its signature (Standard Webhooks) and returns its event. While a secret is
 * being rotated, pass both.
 */
export async function verifyWebhook(
  request: WebhookRequest,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(request, 'webhook-id');
  const timestamp = headerOf(request, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(request, 'webhook-signature'));
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) throw new WebhookError('the delivery is too old, or not dated');
  const body = await bytesOf(request);
  const signed = bytesOfAll(encoder.encode(`${id}.${timestamp}.`), body);
  for (const each of [secret].flat()) {
    const key = await keyOf(each);
    for (const signature of signatures) {
      // In constant time, as its specification demands of a MAC.
      const isRight = await crypto.subtle.verify('HMAC', key, signature, signed);
      if (isRight) return JSON.parse(new TextDecoder().decode(body));
    }
  }
  throw new WebhookError('no signature of the delivery is by this secret');
}

const encoder = new TextEncoder();
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Frameworks have `Headers` of their own, or plain objects, with names in either case. */
function headerOf({ headers }: WebhookRequest, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value !== 'string') throw new WebhookError(`the delivery has no ${name}`);
  return value;
}

async function bytesOf(request: WebhookRequest): Promise<Uint8Array<ArrayBuffer>> {
  if ('arrayBuffer' in request) return new Uint8Array(await request.arrayBuffer());
  const { body } = request;
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError('body must be the text or the bytes that arrived, before they are parsed');
}

function bytesOfAll(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** The signatures of the version that exists; `v1,<base64>`, separated by spaces. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((each) => (each.startsWith('v1,') ? decoded(each.slice(3)) : []));

const keyOf = (secret: string): Promise<CryptoKey> => {
  const [bytes] = decoded(String(secret).replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('the secret must be "whsec_" and base64');
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify']);
};

/** Base64 as bytes; nothing if it is not base64. */
function decoded(base64: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))];
  } catch {
    return [];
  }
}
