import { verifyWebhook, WebhookError, type WebhookRequest } from '@realmkeep/client';
import { type Cases, equal } from './checks.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd';
const EVENT = { seq: 7, type: 'points.added', realmId: 'acme', data: { memberId: '42' } };
const BODY = JSON.stringify(EVENT);
const encoder = new TextEncoder();

async function signature(secret: string, signed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.slice(6)), (each) => each.charCodeAt(0));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(signed));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
}

async function headersFor(secret = SECRET, ageSeconds = 0): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': await signature(secret, `msg_1.${timestamp}.${BODY}`),
  };
}

const isRefused = (request: WebhookRequest, secret: string | string[] = SECRET): Promise<boolean> =>
  verifyWebhook(request, secret).then(
    () => false,
    (error) => error instanceof WebhookError,
  );

export const webhookCases: Cases = {
  'a delivery is verified, as a Request or by its parts': async () => {
    const headers = await headersFor();
    const request = new Request('http://me.test/hook', { method: 'POST', headers, body: BODY });
    equal(await verifyWebhook(request, SECRET), EVENT);
    equal(await verifyWebhook({ headers, body: BODY }, SECRET), EVENT);
    equal(
      await verifyWebhook({ headers: new Headers(headers), body: encoder.encode(BODY) }, SECRET),
      EVENT,
    );
    equal(await verifyWebhook({ headers, body: BODY }, [OTHER, SECRET]), EVENT);
    const another = await signature(OTHER, 'something else');
    const rotated = `${another} v2,x ${headers['webhook-signature']}`;
    equal(
      await verifyWebhook(
        { headers: { ...headers, 'webhook-signature': rotated }, body: BODY },
        SECRET,
      ),
      EVENT,
    );
  },

  'frameworks have headers and requests of their own': async () => {
    const headers = await headersFor();
    const capital = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('webhook', 'Webhook'), value]),
    );
    equal(await verifyWebhook({ headers: capital, body: BODY }, SECRET), EVENT);
    const request = {
      headers: { get: (name: string) => headers[name] ?? null },
      arrayBuffer: async () => encoder.encode(BODY).buffer,
    };
    equal(await verifyWebhook(request, SECRET), EVENT);
  },

  'a mistake of the receiver is not taken for a bad delivery': async () => {
    const headers = await headersFor();
    for (const [body, secret] of [
      [EVENT, SECRET],
      [BODY, undefined],
      [BODY, 'whsec_'],
    ]) {
      const call = verifyWebhook({ headers, body: body as string }, secret as string);
      equal(await call.catch((error) => error instanceof TypeError), true);
    }
  },

  'a delivery that was changed, is too old or by someone else is refused': async () => {
    const headers = await headersFor();
    equal(await isRefused({ headers, body: `${BODY} ` }), true);
    equal(await isRefused({ headers, body: BODY }, OTHER), true);
    equal(await isRefused({ headers: await headersFor(SECRET, 301), body: BODY }), true);
    equal(await isRefused({ headers: await headersFor(SECRET, -301), body: BODY }), true);
    equal(await isRefused({ headers: await headersFor(SECRET, 299), body: BODY }), false);
    for (const name of Object.keys(headers)) {
      equal(await isRefused({ headers: { ...headers, [name]: undefined }, body: BODY }), true);
      equal(await isRefused({ headers: { ...headers, [name]: 'v1,%' }, body: BODY }), true);
    }
  },
};
