import { iso, isoOrNull } from '../../contract/instants.ts';
import { DEFAULT_OVERLAP_SECONDS, keyBody } from '../../contract/operations/keys.ts';
import { personBody } from '../../contract/operations/people.ts';
import { passkeyBody } from '../../contract/operations/sessions.ts';
import { invalidRequest, ProblemError } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import { generateKey, newPersonId, personIdFor } from '../../domain/key-format.ts';
import type { Session } from '../../domain/model.ts';
import type { Person } from '../../domain/person.ts';
import { PasskeyFault, type SentAssertion } from '../../webauthn/ceremonies.ts';
import {
  type Answer,
  type AnyCall,
  asIs,
  execute,
  type Handler,
  notFound,
  pick,
  query,
} from '../calls.ts';
import { listBody, pageRequest } from '../cursor.ts';
import { ANONYMOUS, type Principal } from '../key-ring.ts';

type PersonBody = ReturnType<typeof personBody>;

export const createPerson: Handler<'createPerson'> = async (call) => {
  const { name, role } = call.body;
  const command = { newPersonId: newPersonId(Date.now()), name, role };
  return withInvitation(call, await execute(call, 'person.create', command, personBody));
};

export const invitePerson: Handler<'invitePerson'> = async (call) => {
  const personId = call.params.personID;
  return withInvitation(call, await execute(call, 'person.invite', { personId }, personBody));
};

export const updatePerson: Handler<'updatePerson'> = async (call) => {
  const personId = call.params.personID;
  const changes = { personId, ...pick(call.body, 'name', 'role') };
  const answer = await execute(call, 'person.update', changes, personBody);
  call.services.keyRing.forget(personId);
  return answer;
};

export const removePerson: Handler<'removePerson'> = async (call) => {
  const personId = call.params.personID;
  const erase = call.query.erase === 'true';
  const answer = await execute(call, 'person.remove', { personId, erase }, asIs);
  await call.services.sessions.endAllOf(personId);
  if (erase) await call.services.erasures.finished(call.params.realmID);
  return answer;
};

export const listPeople: Handler<'listPeople'> = async (call) => {
  const request = pageRequest(call, ['ids'], isParameter('personID'));
  const { after, limit } = request;
  const ids = request.filters.ids?.split(',') ?? null;
  const people = await query(call, 'people', {
    personIds: ids,
    after,
    limit: ids?.length ?? limit,
  });
  const missing = new Set(ids).difference(new Set(people.rows.map(({ id }) => id)));
  if (missing.size === 0) return { body: listBody(people, request, ({ id }) => id, personBody) };
  const owners = (await call.services.ledger.query('owners', null)).filter(({ id }) =>
    missing.has(id),
  );
  return { body: { items: [...people.rows, ...owners].map(personBody), nextCursor: null } };
};

/** Owners have no journal: a key for idempotency is the seed of the id, so it makes one of them. */
export const createOwner: Handler<'createOwner'> = async (call) => {
  const { idempotencyKey: key, services } = call;
  const id = key === undefined ? newPersonId(Date.now()) : personIdFor(`owner ${key}`);
  const { name } = call.body;
  const times = { createdAt: Date.now(), lastSeenAt: null, removedAt: null };
  const owner: Person = { id, name, role: 'owner', ...times };
  const isNew = await services.ledger.housekeeping.createOwner(owner);
  const stored = isNew ? owner : await ownerOf(call, id);
  if (stored.name !== name) throw new ProblemError('idempotency-key-reused');
  return withInvitation(call, { body: personBody(stored), replayed: !isNew });
};

export const inviteOwner: Handler<'inviteOwner'> = async (call) =>
  withInvitation(call, { body: personBody(await ownerOf(call, call.params.personID)) });

export const listOwners: Handler<'listOwners'> = async ({ services }) => {
  const owners = await services.ledger.query('owners', null);
  const items = owners.filter(({ removedAt }) => removedAt === null).map(personBody);
  return { body: { items, nextCursor: null } };
};

export const updateOwner: Handler<'updateOwner'> = async (call) => {
  const { ledger, keyRing } = call.services;
  const owner = await ownerOf(call, call.params.personID);
  const { name } = call.body;
  if (name !== undefined) await ledger.housekeeping.changeOwner({ personId: owner.id, name });
  keyRing.forget(owner.id);
  return { body: personBody({ ...owner, name: name ?? owner.name }) };
};

/** The last one would lock everybody out who does not have the root key. */
export const removeOwner: Handler<'removeOwner'> = async (call) => {
  const {
    principal,
    query: { erase },
    services: { ledger, sessions },
  } = call;
  const personId = call.params.personID;
  const owners = await ledger.query('owners', null);
  const found = owners.find(({ id }) => id === personId);
  if (!found || (found.removedAt !== null && erase !== 'true')) {
    throw new ProblemError('person-not-found', { personId });
  }
  const others = owners.filter(({ id, removedAt }) => id !== personId && removedAt === null);
  if (others.length === 0 && principal.person !== null) throw new ProblemError('last-owner');
  const name = erase === 'true' ? { name: null } : {};
  await ledger.housekeeping.changeOwner({ personId, removedAt: Date.now(), ...name });
  await sessions.endAllOf(personId);
  return { body: null };
};

async function ownerOf({ services }: AnyCall, personId: string): Promise<Person> {
  const owners = await services.ledger.query('owners', null);
  const found = owners.find(({ id, removedAt }) => id === personId && removedAt === null);
  return found ?? notFound('person-not-found', { personId });
}

/** The code is in the fragment, which browsers do not send, so no log has it. */
async function withInvitation({ services }: AnyCall, answer: Answer<PersonBody>) {
  const none = { invitation: null, invitationExpiresAt: null };
  if (answer.replayed) return { ...answer, body: { ...answer.body, ...none } };
  const { code, expiresAt } = await services.sessions.invite(answer.body.id);
  const invitation = `${new URL(services.publicUrl).origin}/join#code=${code}`;
  const invitationExpiresAt = new Date(expiresAt).toISOString();
  return { ...answer, body: { ...answer.body, invitation, invitationExpiresAt } };
}

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

export const createKey: Handler<'createKey'> = async (call) => {
  const { name, scopes, expiresAt: instant = null } = call.body;
  const { key, newKey } = generateKey();
  const expiresAt = instant === null ? null : Date.parse(instant);
  const issue = { newKey, name, scopes, expiresAt };
  return withSecret(await execute(call, 'key.create', issue, keyBody), key);
};

export const rotateKey: Handler<'rotateKey'> = async (call) => {
  const { key, newKey } = generateKey();
  const overlapSeconds = call.body?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
  const keyId = call.params.keyID;
  const rotation = { keyId, newKey, overlapSeconds };
  const answer = await execute(call, 'key.rotate', rotation, keyBody);
  call.services.keyRing.forget(keyId);
  return withSecret(answer, key);
};

export const revokeKey: Handler<'revokeKey'> = async (call) => {
  const keyId = call.params.keyID;
  const answer = await execute(call, 'key.revoke', { keyId }, asIs);
  call.services.keyRing.forget(keyId);
  return answer;
};

export const listKeys: Handler<'listKeys'> = async (call) => {
  const request = pageRequest(call, [], isParameter('keyID'));
  const { after, limit } = request;
  const keys = await query(call, 'apiKeys', { after, limit });
  return { body: listBody(keys, request, ({ id }) => id, keyBody) };
};

/** A replay cannot show the secret again, since only its hash is stored. */
const withSecret = (answer: Answer<ReturnType<typeof keyBody>>, key: string) => ({
  ...answer,
  body: { ...answer.body, key: answer.replayed ? null : key },
});
