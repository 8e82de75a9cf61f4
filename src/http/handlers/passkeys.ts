import { iso } from '../../contract/instants.ts';
import { passkeyBody } from '../../contract/operations/sessions.ts';
import type { AnyCall, Handler } from '../calls.ts';

export const createChallenge: Handler<'createChallenge'> = async ({ services }) => {
  const { challenge, expiresAt } = services.passkeys.issue();
  const { hostname, origin } = new URL(services.publicUrl);
  return { body: { challenge, rpId: hostname, origin, expiresAt: iso(expiresAt) } };
};

export const createPasskey: Handler<'createPasskey'> = async (call) => {
  const { passkeys, publicUrl } = call.services;
  const userAgent = call.headers['user-agent'] ?? null;
  const { origin } = new URL(publicUrl);
  return { body: passkeyBody(await passkeys.add(personIn(call), call.body, origin, userAgent)) };
};

export const listPasskeys: Handler<'listPasskeys'> = async (call) => {
  const items = (await call.services.passkeys.list(personIn(call))).map(passkeyBody);
  return { body: { items, nextCursor: null } };
};

export const removePasskey: Handler<'removePasskey'> = async (call) => {
  await call.services.passkeys.remove(personIn(call), call.params.passkeyID);
  return { body: null };
};

/** Nobody else gets here: the operations are of people. */
const personIn = ({ principal: { person } }: AnyCall): string => person?.id ?? '';
