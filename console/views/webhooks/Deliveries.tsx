import type { Delivery } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import type { Pages } from '../../state/pages.ts';
import { useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Values.tsx';

/** The latest attempts, newest first. */
export function Deliveries({ pages }: { pages: Pages<Delivery> }) {
  const { api } = useRealm();
  return (
    <section class="stack tight flush">
      <h3>Deliveries</h3>
      {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
      <Table
        label="Deliveries"
        columns={columns(api.id)}
        rows={pages.rows}
        rowKey={pages.rowKey}
        paging={pages}
        empty={<Empty icon="webhook" title="Nothing has been sent yet" />}
      />
    </section>
  );
}

/** `connection-failed` as people say it. */
export const inWords = (error: string | null): string => (error ?? '').replaceAll('-', ' ');

const columns = (realm: string): Column<Delivery>[] => [
  {
    id: 'event',
    header: 'Event',
    cell: ({ seq, type, at, attempt }) => (
      <div class="two-lines">
        <a class="quiet-link mono ellipsis" href={addresses.record(realm, seq)}>
          {type}
        </a>
        <span class="caption">
          <Time at={at} />
          {attempt > 1 && ` · attempt ${attempt}`}
        </span>
      </div>
    ),
  },
  {
    id: 'answer',
    header: 'Answer',
    width: 160,
    cell: ({ delivered, status, error }) => (
      <span class={delivered ? 'badge in' : 'badge out'}>{status ?? inWords(error)}</span>
    ),
  },
  {
    id: 'latency',
    header: 'Took',
    width: 88,
    isNumber: true,
    from: 'medium',
    cell: ({ latencyMs }) => `${formatNumber(latencyMs)} ms`,
  },
];
