import type { Delivery } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import type { Pages } from '../../state/pages.ts';
import { useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Values.tsx';
import { inWords } from './Outcome.tsx';

/** The latest attempts, newest first. */
export function Deliveries({ webhook, pages }: { webhook: string; pages: Pages<Delivery> }) {
  const { api } = useRealm();
  return (
    <section class="stack tight flush">
      <h3>Deliveries</h3>
      {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
      <Table
        label="Deliveries"
        columns={columns((id) => addresses.delivery(api.id, webhook, id))}
        rows={pages.rows}
        rowKey={pages.rowKey}
        rowClass={() => 'linked'}
        paging={pages}
        empty={<Empty icon="webhook" title="Nothing has been sent yet" />}
      />
    </section>
  );
}

const columns = (addressOf: (id: number) => string): Column<Delivery>[] => [
  {
    id: 'event',
    header: 'Event',
    cell: ({ id, type, at, attempt }) => (
      <div class="two-lines">
        <a class="row-link mono ellipsis" href={addressOf(id)}>
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
