import { iso, isoOrNull } from '../../contract/instants.ts';
import { invalidRequest, ProblemError } from '../../contract/problems.ts';
import type { Session } from '../../domain/model.ts';
import type { Handler } from '../calls.ts';
import { ANONYMOUS, type Principal } from '../key-ring.ts';

export const createSession: Handler<'createSession'> = async (call) => {
  const { principal, raw, caller } = call;
  const { sessions } = call.services;
  const { code } = call.body ?? {};
  if (code !== undefined && principal !== ANONYMOUS) {
    const detail = 'must be absent if the request has a key';
    throw invalidRequest([{ pointer: '/code', detail }]);
  }
  if (code === undefined && principal === ANONYMOUS) {
    throw new ProblemError('unauthorized', { reason: 'The request has neither key nor code.' });
  }
  const created = await (code === undefined
    ? sessions.create(principal, raw, caller)
    : sessions.redeem(code, raw, caller));
  return { body: currentBody(created.principal), cookie: created.cookie };
};

export const getCurrentSession: Handler<'getCurrentSession'> = async ({ principal }) => ({
  body: currentBody(principal),
});

export const listSessions: Handler<'listSessions'> = async ({ principal, services }) => {
  const items = (await services.sessions.list(principal)).map(sessionBody(principal.session));
  return { body: { items, nextCursor: null } };
};

export const endSession: Handler<'endSession'> = async (call) => {
  const { principal, params, raw, caller } = call;
  const cookie = await call.services.sessions.end(principal, params.sessionID, raw, caller);
  return cookie === null ? { body: null } : { body: null, cookie };
};

function currentBody({ session, realmId, scopes, keyId, keyName, keyExpiresAt }: Principal) {
  return {
    id: session?.id ?? null,
    isRoot: scopes.has('root'),
    realmId,
    scopes: [...scopes].filter((scope) => scope !== 'root'),
    keyId,
    keyName,
    expiresAt: isoOrNull(session?.expiresAt ?? keyExpiresAt),
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
