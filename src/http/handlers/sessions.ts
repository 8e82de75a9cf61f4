import { iso, isoOrNull } from '../../contract/instants.ts';
import { invalidRequest, ProblemError } from '../../contract/problems.ts';
import type { Session } from '../../domain/model.ts';
import { PasskeyFault, type SentAssertion } from '../../webauthn/ceremonies.ts';
import { type AnyCall, type Handler, pick } from '../calls.ts';
import { ANONYMOUS, type Principal } from '../key-ring.ts';

export const createSession: Handler<'createSession'> = async (call) => {
  const { principal, raw, caller } = call;
  const { sessions } = call.services;
  const { code, assertion } = call.body ?? {};
  const [sent] = Object.keys({ ...pick(call.body ?? {}, 'code', 'assertion') });
  if (sent !== undefined && (principal !== ANONYMOUS || (code && assertion))) {
    const detail = 'must be the only thing to sign in with';
    throw invalidRequest([{ pointer: `/${sent}`, detail }]);
  }
  if (sent === undefined && principal === ANONYMOUS) {
    throw new ProblemError('unauthorized', { reason: 'The request has neither key nor code.' });
  }
  const created = await (assertion
    ? sessions.enter(await personOf(call, assertion), raw, caller)
    : code === undefined
      ? sessions.create(principal, raw, caller)
      : sessions.redeem(code, raw, caller));
  return { body: currentBody(created.principal), cookie: created.cookie };
};

/** Whose passkey has signed; what is wrong with it counts as a wrong key. */
async function personOf(call: AnyCall, assertion: SentAssertion & { id: string }) {
  const { passkeys, publicUrl, sessions } = call.services;
  try {
    return await passkeys.personOf(assertion, new URL(publicUrl).origin);
  } catch (error) {
    if (!(error instanceof PasskeyFault)) throw error;
    throw sessions.refusal(call.raw, 'passkey-not-valid', { reason: error.message });
  }
}

export const getCurrentSession: Handler<'getCurrentSession'> = async ({ principal }) => ({
  body: currentBody(principal),
});

export const listSessions: Handler<'listSessions'> = async ({ principal, query, services }) => {
  const sessions = await services.sessions.list(principal, query.personId);
  const items = sessions.map(sessionBody(principal.session));
  return { body: { items, nextCursor: null } };
};

export const endSession: Handler<'endSession'> = async (call) => {
  const { principal, params, raw, caller } = call;
  const cookie = await call.services.sessions.end(principal, params.sessionID, raw, caller);
  return cookie === null ? { body: null } : { body: null, cookie };
};

function currentBody({ session, person, realmId, scopes, keyId, ...key }: Principal) {
  return {
    id: session?.id ?? null,
    isRoot: scopes.has('root'),
    person,
    realmId,
    scopes: [...scopes].filter((scope) => scope !== 'root'),
    keyId: person ? null : keyId,
    keyName: key.keyName,
    expiresAt: isoOrNull(session?.expiresAt ?? key.keyExpiresAt),
  };
}

const sessionBody =
  (current: Session | null) =>
  ({ id, createdAt, lastUsedAt, expiresAt, userAgent }: Session) => ({
    id,
    isCurrent: id === current?.id,
    createdAt: iso(createdAt),
    lastUsedAt: iso(lastUsedAt),
    expiresAt: iso(expiresAt),
    userAgent,
  });
