import type { CommandOf } from '../commands.ts';
import { DEFAULT_SETTINGS, FIRST_KIND, type Realm, type RealmRow } from '../model.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { GENESIS } from './journal.ts';
import { realmView } from './views.ts';

export function createRealm(books: Books, command: CommandOf<'realm.create'>): Realm {
  if (books.exists) throw new Refused('realm-exists', { realmId: books.realmId });
  const realm: RealmRow = {
    id: books.realmId,
    name: command.name,
    settings: { ...DEFAULT_SETTINGS, ...command.settings },
    createdAt: books.now,
    updatedAt: books.now,
    seq: 0,
    head: GENESIS,
    lastAt: 0,
    clockAt: 0,
    setBackSeq: null,
    nextMemberId: '1',
  };
  books.realm = realm;
  books.kinds.set(FIRST_KIND.id, FIRST_KIND);
  books.record('realm.created', {
    name: realm.name,
    settings: realm.settings,
    points: [FIRST_KIND],
  });
  return realmView(realm);
}

export function updateRealm(books: Books, command: CommandOf<'realm.update'>): Realm {
  const before = books.realm;
  const name = command.name ?? before.name;
  const settings = { ...before.settings, ...command.settings };
  const nameChanged = name !== before.name;
  const settingsChanged = JSON.stringify(settings) !== JSON.stringify(before.settings);
  if (!nameChanged && !settingsChanged) return realmView(before);
  const realm = { ...before, name, settings, updatedAt: books.now };
  books.realm = realm;
  books.record('realm.updated', {
    ...(nameChanged && { name }),
    ...(settingsChanged && { settings }),
  });
  return realmView(realm);
}
