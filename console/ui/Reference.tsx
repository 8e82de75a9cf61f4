import { addresses } from '../addresses.ts';
import { useRealm } from '../state/realm.ts';
import { Text } from './Text.tsx';

/** The caller's own id of the matter; it leads to all movements that share it. */
export function Reference({ value }: { value: string }) {
  const { api } = useRealm();
  return (
    <a class="quiet-link mono" href={addresses.reference(api.id, value)}>
      <Text value={value} />
    </a>
  );
}
