import { personBody } from '../../contract/operations/people.ts';
import { ProblemError } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import { newPersonId, personIdFor } from '../../domain/key-format.ts';
import type { Person } from '../../domain/person.ts';
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
