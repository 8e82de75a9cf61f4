import type { Kind } from '@realmkeep/client';
import { useRealm } from '../state/realm.ts';
import { Select } from './Field.tsx';
import { useQuery } from './query.ts';

/** The kind of points that the address names, or the default if the realm has no such kind. */
export function useKind(): Kind {
  const { kinds, defaultKind } = useRealm();
  const { kind } = useQuery().query;
  return kinds.find(({ id }) => id === kind) ?? defaultKind;
}

/** Chooses the kind of points that a view is about, where there are several. */
export function KindSelect() {
  const { kinds, defaultKind } = useRealm();
  const { set } = useQuery();
  const kind = useKind();
  if (kinds.length < 2) return null;
  return (
    <Select
      label="Kind of points"
      value={kind.id}
      choices={kinds.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => set({ kind: id === defaultKind.id ? '' : id })}
    />
  );
}
