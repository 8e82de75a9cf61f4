import { addresses } from '../addresses.ts';
import { useAnswer } from '../state/answers.ts';
import { useRealm } from '../state/realm.ts';
import { shortId } from '../text/format.ts';
import { nameOf } from './MemberName.tsx';

/** Another member by name; by id until the name is known, or if it was removed. */
export function Counterparty({ id }: { id: string }) {
  const { api } = useRealm();
  const { value } = useAnswer(`member ${api.id} ${id}`, (signal) => api.member(id).get({ signal }));
  return (
    <a class="quiet-link" href={addresses.member(api.id, id)}>
      {value ? nameOf(value) : <span class="mono">{shortId(id)}</span>}
    </a>
  );
}
