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
import { present, Refused, refuseBeyond } from '../refusal.ts';
import { type Books, changedFields } from './books.ts';
import { NEW_JOURNAL } from './journal.ts';
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
  const changed = Object.keys(changedFields(before.settings, settings)) as (keyof RealmSettings)[];
  if (!nameChanged && changed.length === 0) return realmView(before);
  const realm = { ...before, name, settings, updatedAt: books.now };
  books.realm = realm;
  books.record('realm.updated', {
    ...(nameChanged && { name }),
    ...(changed.length > 0 && { settings, changed }),
  });
  return realmView(realm);
}

export function archiveRealm(books: Books, { archived }: CommandOf<'realm.archive'>): Realm {
  const before = books.realm;
  if (archived === (before.archivedAt !== null)) return realmView(before);
  const realm = { ...before, archivedAt: archived ? books.now : null, updatedAt: books.now };
  books.realm = realm;
  books.record(archived ? 'realm.archived' : 'realm.unarchived', {});
  return realmView(realm);
}

/** Its rows are removed later. The record changes the head, so no node goes on with its cache. */
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
  const asset = present(books.assets.get(assetId), 'asset-not-found', { assetId });
  books.assets.set(assetId, null);
  books.record('asset.deleted', { ...asset });
  return null;
}

/** A limit that keeps one realm from slowing down the others. */
export const MAX_KINDS = 50;

export function createKind(books: Books, { kind }: CommandOf<'kind.create'>): PointKind {
  if (books.kinds.get(kind.id)) {
    throw new Refused('realm-point-exists', { realmPointId: kind.id });
  }
  refuseBeyond(MAX_KINDS, books.kinds.size, 'kinds of points in a realm');
  setKind(books, kind);
  // Those who are there get a balance of it afterwards, a thousand at a time.
  if (books.facts.memberCount > 0) {
    books.enrolments.set(kind.id, { realmPointId: kind.id, enrolledTo: '0' });
  }
  books.record('point.created', { ...kind });
  return kind;
}

export function updateKind(books: Books, command: CommandOf<'kind.update'>): PointKind {
  const { realmPointId, changes } = command;
  const before = books.kind(realmPointId);
  if (before.isDefault && changes.isDefault === false) {
    throw new Refused('default-required', { realmPointId });
  }
  const kind = { ...before, ...changes };
  if (kind.isDefault && kind.archived) {
    throw new Refused('default-archived', { realmPointId });
  }
  const changed = changedFields(before, kind);
  if (Object.keys(changed).length === 0) return before;
  setKind(books, kind);
  books.record('point.updated', { id: realmPointId, ...changed });
  return kind;
}

/** The positions of those that have the id of one before them. */
export const repeatedKinds = (kinds: readonly Partial<PointKind>[]): number[] => {
  const ids = kinds.map((kind) => kind?.id);
  return [...ids.keys()].filter((at) => ids[at] !== undefined && ids.indexOf(ids[at]) < at);
};

/** Of several kinds exactly one must be the default; the only one is it by itself. */
export const defaultsIn = (kinds: readonly Partial<PointKind>[]): number =>
  kinds.length === 1 ? 1 : kinds.filter((kind) => kind?.isDefault === true).length;

/** Writes the kind. A new default replaces the old one. */
function setKind(books: Books, kind: PointKind): void {
  const { minimumBalance, maximumBalance } = kind;
  if (minimumBalance > maximumBalance) {
    const realmPointId = kind.id;
    throw new Refused('bounds-crossed', { realmPointId, minimumBalance, maximumBalance });
  }
  if (kind.isDefault) {
    for (const other of [...books.kinds.values()]) {
      if (other.isDefault && other.id !== kind.id) {
        books.kinds.set(other.id, { ...other, isDefault: false });
      }
    }
  }
  books.kinds.set(kind.id, kind);
}
