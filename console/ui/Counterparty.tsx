import { addresses } from '../addresses.ts';
import { nameSignal } from '../state/names.ts';
import { useRealm } from '../state/realm.ts';
import { shortId } from '../text/format.ts';
import { Name } from './MemberName.tsx';

/** A member by name; by id until the name is known, or if the member was removed. */
export function Counterparty({ id }: { id: string }) {
  const { api } = useRealm();
  const named = nameSignal(api, id).value;
  return (
    <a class="quiet-link" href={addresses.member(api.id, id)}>
      {named ? <Name member={named} /> : <span class="mono">{shortId(id)}</span>}
    </a>
  );
}
