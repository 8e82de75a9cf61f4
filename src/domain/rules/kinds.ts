import type { CommandOf } from '../commands.ts';
import { MAX_KINDS, type PointKind } from '../model.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';

export function createKind(books: Books, { kind }: CommandOf<'kind.create'>): PointKind {
  if (books.kinds.get(kind.id)) {
    throw new Refused('realm-point-exists', { realmPointId: kind.id });
  }
  if ([...books.kinds.values()].length >= MAX_KINDS) {
    throw new Refused('limit-reached', { limit: MAX_KINDS, of: 'kinds of points in a realm' });
  }
  return keepKind(books, kind, 'point.created', { ...kind });
}

export function updateKind(books: Books, command: CommandOf<'kind.update'>): PointKind {
  const { realmPointId, changes } = command;
  const before = books.kind(realmPointId);
  if (before.isDefault && changes.isDefault === false) {
    throw new Refused('default-required', { realmPointId: realmPointId });
  }
  const kind = { ...before, ...changes };
  const changed = Object.entries(kind).filter(([name, v]) => v !== before[name as keyof PointKind]);
  if (changed.length === 0) return before;
  return keepKind(books, kind, 'point.updated', {
    id: realmPointId,
    ...Object.fromEntries(changed),
  });
}

/** There is one default kind: naming another takes the name from the one before. */
function keepKind(
  books: Books,
  kind: PointKind,
  type: string,
  data: Record<string, unknown>,
): PointKind {
  if (kind.minimumBalance > kind.maximumBalance) {
    const { minimumBalance, maximumBalance } = kind;
    throw new Refused('bounds-crossed', { minimumBalance, maximumBalance });
  }
  if (kind.isDefault) {
    for (const other of [...books.kinds.values()]) {
      if (other.isDefault && other.id !== kind.id) {
        books.kinds.set(other.id, { ...other, isDefault: false });
      }
    }
  }
  books.kinds.set(kind.id, kind);
  books.record(type, data);
  return kind;
}
