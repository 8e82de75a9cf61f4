import type { CommandOf } from '../commands.ts';
import type { PointKind } from '../model.ts';
import { Refused, refuseBeyond } from '../refusal.ts';
import type { Books } from './books.ts';

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
  const changed: Partial<PointKind> = { ...kind };
  for (const name of Object.keys(kind) as (keyof PointKind)[]) {
    if (kind[name] === before[name]) delete changed[name];
  }
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
export function setKind(books: Books, kind: PointKind): void {
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
