import { nameSignal } from '../state/names.ts';
import { useRealm } from '../state/realm.ts';
import { personIn } from '../text/people.ts';
import { Name } from './MemberName.tsx';

/** Somebody of the team by name, also if removed; whose name was erased is only a person. */
export function PersonName({ id }: { id: string }) {
  const { api } = useRealm();
  const named = nameSignal(api, id).value;
  return named ? <Name member={named} /> : <>a person</>;
}

/** Who did it, where a person did; a key or the service is named by the record. */
export function ByPerson({ actor }: { actor: string }) {
  const id = personIn(actor);
  return (
    id && (
      <>
        by <PersonName id={id} />
      </>
    )
  );
}
