import type { CommandOf } from '../commands.ts';
import {
  type Asset,
  DEFAULT_SETTINGS,
  FIRST_KIND,
  MAX_ASSETS,
  type PointKind,
  type Realm,
  type RealmRow,
  type RealmSettings,
} from '../model.ts';
import { Refused, refuseBeyond } from '../refusal.ts';
import type { Books } from './books.ts';
import { NEW_JOURNAL } from './journal.ts';
import { defaultsIn, repeatedKinds, setKind } from './kinds.ts';
import { realmView } from './views.ts';

export function createRealm(books: Books, command: CommandOf<'realm.create'>): Realm {
  if (books.row) {
    const { realmId } = books;
    throw new Refused(books.isDeleted ? 'realm-being-deleted' : 'realm-exists', { realmId });
  }
  const kinds = firstKinds(command.kinds ?? [FIRST_KIND]);
  const realm: RealmRow = {
    id: books.realmId,
    name: command.name,
    settings: { ...DEFAULT_SETTINGS, ...command.settings },
    createdAt: books.now,
    updatedAt: books.now,
    archivedAt: null,
    ...NEW_JOURNAL,
    nextMemberId: '1',
    deletedAt: null,
  };
  books.realm = realm;
  for (const kind of kinds) setKind(books, kind);
  books.record('realm.created', { name: realm.name, settings: realm.settings, points: kinds });
  return realmView(realm);
}

function firstKinds(kinds: PointKind[]): PointKind[] {
  const [repeated] = repeatedKinds(kinds);
  if (repeated !== undefined) {
    throw new Refused('realm-point-exists', { realmPointId: kinds[repeated]?.id });
  }
  if (defaultsIn(kinds) !== 1) throw new Refused('default-required');
  return kinds.length === 1 ? kinds.map((kind) => ({ ...kind, isDefault: true })) : kinds;
}

export function updateRealm(books: Books, command: CommandOf<'realm.update'>): Realm {
  const before = books.realm;
  const name = command.name ?? before.name;
  const settings = { ...before.settings, ...command.settings };
  const nameChanged = name !== before.name;
  const names = Object.keys(settings) as (keyof RealmSettings)[];
  const textOf = (value: unknown): string => JSON.stringify(value);
  const changed = names.filter((one) => textOf(settings[one]) !== textOf(before.settings[one]));
  if (!nameChanged && changed.length === 0) return realmView(before);
  const realm = { ...before, name, settings, updatedAt: books.now };
  books.realm = realm;
  books.record('realm.updated', {
    ...(nameChanged && { name }),
    ...(changed.length > 0 && { settings, changed }),
  });
  return realmView(realm);
}

/** Makes the realm read only, or ends that. */
export function archiveRealm(books: Books, { archived }: CommandOf<'realm.archive'>): Realm {
  const before = books.realm;
  if (archived === (before.archivedAt !== null)) return realmView(before);
  const realm = { ...before, archivedAt: archived ? books.now : null, updatedAt: books.now };
  books.realm = realm;
  books.record(archived ? 'realm.archived' : 'realm.unarchived', {});
  return realmView(realm);
}

/**
 * Hides the realm for good. Its rows are removed afterwards, in small steps. The record changes the
 * journal's head, so that no node goes on with what it has cached of the realm.
 */
export function deleteRealm(books: Books): null {
  books.realm = { ...books.realm, deletedAt: books.now };
  books.record('realm.deleted', {});
  return null;
}

/** Several assets may refer to the same contract. */
export function createAsset(books: Books, { asset }: CommandOf<'asset.create'>): Asset {
  if (books.assets.get(asset.id)) throw new Refused('asset-exists', { assetId: asset.id });
  refuseBeyond(MAX_ASSETS, books.assets.size, 'assets in a realm');
  books.assets.set(asset.id, asset);
  books.record('asset.created', { ...asset });
  return asset;
}

/** The id becomes free again, for the same contract or another. */
export function deleteAsset(books: Books, { assetId }: CommandOf<'asset.delete'>): null {
  const asset = books.assets.get(assetId);
  if (!asset) throw new Refused('asset-not-found', { assetId });
  books.assets.set(assetId, null);
  books.record('asset.deleted', { ...asset });
  return null;
}
