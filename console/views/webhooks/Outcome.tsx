import type { TestDelivery } from '@realmkeep/client';
import { formatNumber } from '../../text/format.ts';
import { Text } from '../../ui/Text.tsx';

/** `connection-failed` as people say it. */
export const inWords = (error: string | null): string => (error ?? '').replaceAll('-', ' ');

/** What became of something that was just sent. */
export function Outcome({ what, result }: { what: string; result: TestDelivery }) {
  const { delivered, status, latencyMs, error, answer } = result;
  return (
    <div class="outcome" role="status">
      <b>
        {what} {delivered ? 'arrived' : 'did not arrive'}
      </b>
      : {status === null ? inWords(error) : `answered ${status}`} after {formatNumber(latencyMs)} ms
      {answer && (
        <p class="mono muted">
          <Text value={answer.slice(0, 200)} />
        </p>
      )}
    </div>
  );
}
