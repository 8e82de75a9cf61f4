import type { Person as StoredPerson } from '../../domain/person.ts';
import { withInstants } from '../instants.ts';
import { created, defineFor, NO_CONTENT, ok } from '../operation.ts';
import { listAnswer, pagesOf } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('People');

const PERSON_ID = 'p[0-9A-Za-z]{12}';
const MAX_IDS = 100;
const EXAMPLE_ID = 'pk3Jx81PzQw2m';

export const PersonId = Type.String({
  pattern: `^${PERSON_ID}$`,
  description: 'The id of a person.',
  examples: [EXAMPLE_ID],
  fault: 'must be the id of a person',
});

const Role = s.choiceOf(['viewer', 'manager', 'admin']);
const Name = s.visibleIn(64, 'What the person is called here.', 'Alice');

export const SomePerson = {
  id: s.text('The id. Records name their actor as `person:<id>`.', EXAMPLE_ID),
  name: s.nullable(s.text('Null if it was erased.', 'Alice')),
  role: s.choiceOf(['viewer', 'manager', 'admin', 'owner'], {
    description: 'The scopes `read`, `write`, `admin`; an `owner` may do everything everywhere.',
    examples: ['manager'],
  }),
};

const Person = named('Person', {
  ...SomePerson,
  createdAt: s.Instant,
  lastSeenAt: {
    ...s.InstantOrNull,
    description: 'Null until an invitation was accepted.',
  },
  removedAt: { ...s.InstantOrNull, description: 'Null unless the person was removed.' },
});

const invitation = {
  invitation: s.nullable(
    s.text(
      'A link that signs the person in once. Shown in this answer only; null in a replayed one.',
      'https://points.example.com/join#code=rk_Vb81PzQw2mk3_EXAMPLEexampleEXAMPLEexampleEX00aaaaaa',
    ),
  ),
  invitationExpiresAt: s.nullable(s.Instant),
};

const InvitedPerson = named('InvitedPerson', { ...Person.properties, ...invitation });

export const personBody = (person: StoredPerson) => withInstants(person);

const LINK =
  'The `invitation` is a link to the console that signs in once, within 7 days, and offers to ' +
  'add a passkey. ';

const eraseQuery = Type.Object({
  erase: Type.Optional(
    s.choiceOf(['true', 'false'], {
      description: '`true` also erases the name, here and in the journal.',
      fault: 'must be true or false',
    }),
  ),
});

export const createPerson = define({
  summary: 'Invite a person',
  description:
    `Makes a person who may sign in to the console. ${LINK}` +
    'Roles are scopes: a `viewer` reads, a `manager` writes, an `admin` does both and administers.',
  body: Type.Object({ name: Name, role: Role }),
  example: { name: 'Alice', role: 'manager' },
  answer: created(InvitedPerson, { lastSeenAt: null }),
});

export const listPeople = define({
  summary: 'List people',
  description:
    'The people of the realm, oldest first. With `ids` those of them and the owners of the ' +
    'service, on one page, including those who were removed: whoever is named by a record.',
  ...pagesOf(Person, {
    ids: Type.String({
      pattern: `^${PERSON_ID}(,${PERSON_ID}){0,${MAX_IDS - 1}}$`,
      description: `Only these people: up to ${MAX_IDS} ids, separated by commas.`,
      examples: [EXAMPLE_ID],
      fault: `must be 1 to ${MAX_IDS} ids of people, separated by commas`,
    }),
  }),
});

export const updatePerson = define({
  summary: 'Change a person',
  description: 'Changes the name or the role. A new role counts within 2 seconds on every node.',
  body: Type.Object(s.optional({ name: Name, role: Role })),
  example: { role: 'admin' },
  answer: ok(Person),
});

export const invitePerson = define({
  summary: 'Invite a person again',
  description: `Makes a new link and voids the one before. ${LINK}Passkeys stay as they are.`,
  answer: created(InvitedPerson),
});

export const removePerson = define({
  summary: 'Remove a person',
  description:
    'Removes the person, with all passkeys and links. Sessions and streams end at once, within 2 ' +
    'seconds on every node. The name stays in the books, unless it is erased; to erase it later, ' +
    'call this again. Only the root key can remove the last owner.',
  query: eraseQuery,
  answer: NO_CONTENT,
  inArchived: true,
});

export const createOwner = define({
  summary: 'Invite an owner',
  description: `Makes a person of the whole service, who may do everything in every realm. ${LINK}`,
  body: Type.Object({ name: Name }),
  example: { name: 'Alice' },
  answer: created(InvitedPerson, { role: 'owner', lastSeenAt: null }),
});

export const listOwners = define({
  summary: 'List owners',
  description: 'The people of the whole service, oldest first. All of them are on one page.',
  answer: listAnswer(Person),
});

export const updateOwner = define({
  summary: 'Rename an owner',
  description: 'Changes the name.',
  body: Type.Object(s.optional({ name: Name })),
  example: { name: 'Alice' },
  answer: ok(Person, { role: 'owner' }),
});

/** The same for both. */
export const inviteOwner = invitePerson;

export const removeOwner = { ...removePerson, problems: ['last-owner'] as const };
