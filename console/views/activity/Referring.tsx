import type { Transaction } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import { usePages } from '../../state/pages.ts';
import { kindOf, useRealm } from '../../state/realm.ts';
import { MOVEMENT_COLUMNS, movementName } from '../../text/movements.ts';
import { movedIn } from '../../text/sentence.ts';
import { Button } from '../../ui/Button.tsx';
import { Counterparty } from '../../ui/Counterparty.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { SaveList } from '../../ui/SaveList.tsx';
import { Empty } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Values.tsx';

/** All movements with one reference, newest first. */
export function Referring({ reference, onClear }: { reference: string; onClear: () => void }) {
  const { api, realm } = useRealm();
  const pages = usePages<Transaction>({
    key: JSON.stringify(['reference', realm.id, reference]),
    rowKey: ({ transactionId }) => transactionId,
    limit: 50,
    ask: (page) => api.transactions({ ...page, reference }),
  });
  return (
    <>
      <div class="toolbar">
        <span>
          Movements with the reference{' '}
          <b class="mono">
            <Text value={reference} />
          </b>
        </span>
        <Button small tone="quiet" onClick={onClear}>
          Show everything
        </Button>
      </div>
      <PagedTable
        class=""
        label="Movements"
        columns={columns(realm.id)}
        pages={pages}
        empty={
          <Empty icon="search" title="No movement has this reference">
            <p>It may have been erased with a member.</p>
          </Empty>
        }
      />
      <SaveList name={`${realm.id}-movements`} rows={pages.rows} columns={MOVEMENT_COLUMNS} />
    </>
  );
}

const columns = (realm: string): Column<Transaction>[] => [
  {
    id: 'what',
    header: 'What',
    cell: (one) => (
      <div class="two-lines">
        <span class="ellipsis">
          {one.description ? <Text value={one.description} /> : movementName(one.type)}
        </span>
        <span class="caption whole">
          <a class="quiet-link" href={addresses.record(realm, one.transactionId)}>
            <Time at={one.at} />
          </a>
          {' · '}
          <Counterparty id={one.memberId} />
          {one.counterpartyId && (
            <>
              {one.tokens < 0 ? ' to ' : ' from '}
              <Counterparty id={one.counterpartyId} />
            </>
          )}
        </span>
      </div>
    ),
  },
  {
    id: 'tokens',
    header: 'Amount',
    isNumber: true,
    cell: (one) => <Amount one={one} />,
  },
];

/** With the name of its kind: they may be of several. */
function Amount({ one }: { one: Transaction }) {
  const { kinds } = useRealm();
  const sign = one.tokens < 0 ? '−' : '+';
  return (
    <>
      {sign}
      {movedIn({ tokens: one.tokens }, kindOf(kinds, one.realmPointId))}
    </>
  );
}
