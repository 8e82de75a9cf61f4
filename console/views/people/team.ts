import type { InvitedPerson, Person, RealmHandle } from '@realmkeep/client';
import { service } from '../../api/service.ts';
import type { Source } from '../../state/paged-list.ts';
import type { ROLES } from '../../text/people.ts';

type RealmRole = (typeof ROLES)[number]['value'];

interface PersonFields {
  name: string;
  role: RealmRole;
}

type Write = { idempotencyKey: string };

/** The people of a realm, or of the whole service. */
export interface Team {
  /** What its answers are kept under. */
  id: string;
  /** Owners have no other role. */
  hasRoles: boolean;
  list: Source<Person>['ask'];
  create(fields: PersonFields & Write): Promise<InvitedPerson>;
  update(id: string, fields: PersonFields & Write): Promise<Person>;
  invite(id: string, write: Write): Promise<InvitedPerson>;
  remove(id: string, erase: boolean): Promise<void>;
}

export const teamOf = (api: RealmHandle): Team => ({
  id: `realm ${api.id}`,
  hasRoles: true,
  list: (page) => api.people(page),
  create: (fields) => api.createPerson(fields),
  update: (id, fields) => api.person(id).update(fields),
  invite: (id, write) => api.person(id).invite(write),
  remove: (id, erase) => api.person(id).remove({ erase }),
});

export const OWNERS: Team = {
  id: 'owners',
  hasRoles: false,
  list: ({ signal }) => service.owners({ signal }),
  create: ({ role: _, ...fields }) => service.createOwner(fields),
  update: (id, { role: _, ...fields }) => service.owner(id).update(fields),
  invite: (id, write) => service.owner(id).invite(write),
  remove: (id, erase) => service.owner(id).remove({ erase }),
};
