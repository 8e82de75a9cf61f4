import { addresses } from '../addresses.ts';
import { nameSignal } from '../state/names.ts';
import { useRealm } from '../state/realm.ts';
import { shortId } from '../text/format.ts';
import { Name } from './MemberName.tsx';

/** A member by name; by id until the name is known. Who was removed has no page. */
export function Counterparty({ id }: { id: string }) {
  const { api } = useRealm();
  const named = nameSignal(api, id).value;
  if (named === null) {
    return (
      <span class="mono" title={`Member ${id} was removed`}>
        {shortId(id)}
      </span>
    );
  }
  return (
    <a class="quiet-link" href={addresses.member(api.id, id)}>
      {named ? <Name member={named} /> : <span class="mono">{shortId(id)}</span>}
    </a>
  );
}
