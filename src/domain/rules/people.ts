import type { CommandOf } from '../commands.ts';
import type { Person, PersonRow, RealmRole } from '../person.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { FIRST_PHASE } from './erasures.ts';
import { personView } from './views.ts';

export function createPerson(books: Books, command: CommandOf<'person.create'>): Person {
  const { newPersonId: id, name, role } = command;
  const { realmId, now: createdAt } = books;
  const row = { id, realmId, name, role, createdAt, lastSeenAt: null, removedAt: null };
  books.people.set(id, row);
  books.record('person.invited', { personId: id, name, role });
  return personView(row);
}

/** Records a new link. The link itself is a code, which the caller stores like a session. */
export function invitePerson(books: Books, command: CommandOf<'person.invite'>): Person {
  const row = presentPerson(books, command.personId);
  const { id: personId, name } = row;
  books.record('person.invited', { personId, name: name ?? '', role: row.role as RealmRole });
  return personView(row);
}

export function updatePerson(books: Books, command: CommandOf<'person.update'>): Person {
  const { personId, name, role } = command;
  const before = presentPerson(books, personId);
  const changes = {
    ...(name !== undefined && name !== before.name && { name }),
    ...(role !== undefined && role !== before.role && { role }),
  };
  if (Object.keys(changes).length === 0) return personView(before);
  const row = { ...before, ...changes };
  books.people.set(personId, row);
  books.record('person.updated', { personId, ...changes });
  return personView(row);
}

/** The row stays, since the journal names the person as an actor. */
export function removePerson(books: Books, command: CommandOf<'person.remove'>): null {
  const { personId, erase } = command;
  const row = erase ? books.people.get(personId) : presentPerson(books, personId);
  if (!row) throw new Refused('person-not-found', { personId });
  const removed = { ...row, removedAt: row.removedAt ?? books.now };
  if (row.removedAt === null) books.record('person.removed', { personId });
  if (erase && row.name !== null) {
    const seq = books.record('person.erased', { personId });
    books.erasures.set(String(seq), { seq, erasedId: personId, ...FIRST_PHASE });
  }
  books.people.set(personId, erase ? { ...removed, name: null } : removed);
  return null;
}

function presentPerson(books: Books, personId: string): PersonRow {
  const row = books.people.get(personId);
  if (!row || row.removedAt !== null) throw new Refused('person-not-found', { personId });
  return row;
}
