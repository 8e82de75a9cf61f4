import type { Kind } from '@realmkeep/client';
import { useEffect } from 'preact/hooks';
import { chooseKind, chosenKind } from '../state/chosen-kinds.ts';
import { useRealm } from '../state/realm.ts';
import { Select } from './Field.tsx';
import { KindMark } from './Marks.tsx';
import { useQuery } from './query.ts';

/**
 * The point type that the address names. One that does not gets the type that was chosen last in
 * another view; without any choice it is the usual one.
 */
export function useKind(usually?: Kind): Kind {
  const { realm, kinds, defaultKind } = useRealm();
  const { query, set } = useQuery();
  const usual = usually ?? defaultKind;
  const byId = (id: string | undefined) => kinds.find((kind) => kind.id === id);
  const named = byId(query.kind);
  const chosen = byId(chosenKind(realm.id)) ?? usual;
  useEffect(() => {
    if (named) chooseKind(realm.id, named.id);
    // The address says what is shown.
    else if (chosen !== usual) set({ kind: chosen.id });
  }, [named, chosen, usual]);
  return named ?? chosen;
}

/** Chooses the point type that a view is about, where there are several. */
export function KindSelect({ usual }: { usual?: Kind }) {
  const { kinds } = useRealm();
  const { set } = useQuery();
  const kind = useKind(usual);
  if (kinds.length < 2) return null;
  return (
    <span class="row kind-select">
      <KindMark kind={kind} />
      <Select
        label="Point type"
        value={kind.id}
        choices={kinds.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => set({ kind: id })}
      />
    </span>
  );
}
