import type { Passkey, Person, PersonRow } from '../../domain/person.ts';
import { pageOfSmall } from '../../domain/rules/pages.ts';
import { personView } from '../../domain/rules/views.ts';
import { realmOfKey } from '../key-directory.ts';
import { rowWithKey, selectRows } from '../rows.ts';
import { owners, passkeys } from '../service-tables.ts';
import { all, ask, first, firstOrNull, query, together } from '../statement.ts';
import { tables } from '../tables.ts';
import type { Readers } from './readers.ts';

type Owner = Omit<Person, 'role'>;
type Page = { realmId: string; after: string; limit: number };

const find = {
  people: selectRows<PersonRow, Page>(
    tables.people,
    `WHERE realm_id = :realmId AND person_id > :after AND removed_at IS NULL
     ORDER BY person_id LIMIT :limit`,
  ),
  named: selectRows<PersonRow, Page & { personIds: readonly string[] }>(
    tables.people,
    ({ isIn }) =>
      `WHERE realm_id = :realmId AND ${isIn('person_id', ':personIds', 'text')}
       AND person_id > :after ORDER BY person_id LIMIT :limit`,
  ),
  person: rowWithKey<PersonRow, { realmId: string; personId: string }>(tables.people),
  settings: query<{ settings: string }, { realmId: string }>(
    'SELECT settings FROM realms WHERE realm_id = :realmId AND deleted_at IS NULL',
  ),
  owners: selectRows<Owner>(owners, 'ORDER BY created_at, person_id'),
  owner: rowWithKey<Owner, { personId: string }>(owners),
  passkey: rowWithKey<Passkey, { passkeyId: string }>(passkeys),
  passkeys: selectRows<Passkey, { personId: string }>(
    passkeys,
    'WHERE person_id = :personId ORDER BY created_at, passkey_id',
  ),
};

const ownerView = (owner: Owner): Person => ({ ...owner, role: 'owner' });

export const peopleReaders = {
  *people({ realmId, personIds, after, limit }) {
    const page = { realmId, after: after ?? '', limit: limit + 1 };
    const found =
      personIds === null
        ? yield* all(find.people, page)
        : yield* all(find.named, { ...page, personIds });
    return pageOfSmall(found.map(personView), limit);
  },
  *person({ personId }) {
    const realmId = yield* realmOfKey(personId);
    if (realmId === null) {
      const owner = yield* first(find.owner, { personId });
      return owner ? { ...ownerView(owner), realmId, rateLimit: null } : null;
    }
    const [[person], [realm]] = yield* together(
      ask(find.person, { realmId, personId }),
      ask(find.settings, { realmId }),
    );
    return person && realm ? { ...person, rateLimit: JSON.parse(realm.settings).rateLimit } : null;
  },
  *owners() {
    return (yield* all(find.owners, {})).map(ownerView);
  },
  passkey: (which) => firstOrNull(find.passkey, which),
  passkeys: ({ personId }) => all(find.passkeys, { personId }),
} satisfies Partial<Readers>;
