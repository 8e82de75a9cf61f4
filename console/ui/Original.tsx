import { addresses } from '../addresses.ts';
import { useRealm } from '../state/realm.ts';
import { formatNumber } from '../text/format.ts';
import { Text } from './Text.tsx';

/** The movement that a reversal is of: by its description, or by its number if it has none. */
export function Original(props: { seq: number; description?: string | number | undefined }) {
  const { api } = useRealm();
  return (
    <a class="quiet-link" href={addresses.record(api.id, props.seq)}>
      {props.description === undefined ? (
        `record ${formatNumber(props.seq)}`
      ) : (
        <>
          “<Text value={String(props.description)} />”
        </>
      )}
    </a>
  );
}
