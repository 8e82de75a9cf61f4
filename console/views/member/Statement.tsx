import type { Kind, Transaction } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { given } from '../../api/service.ts';
import { usePages } from '../../state/pages.ts';
import { useRealm } from '../../state/realm.ts';
import { may } from '../../state/session.ts';
import { formatNumber } from '../../text/format.ts';
import { MOVEMENT_CHOICES, movementName, movementType } from '../../text/movements.ts';
import { Button } from '../../ui/Button.tsx';
import { Counterparty } from '../../ui/Counterparty.tsx';
import { Select } from '../../ui/Field.tsx';
import { useQuery } from '../../ui/query.ts';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Movement, Time } from '../../ui/Values.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';

interface StatementProps {
  memberId: string;
  kind: Kind;
  changes: number;
  onChanged: () => void;
}

/** Every movement with the balance after it, newest first. */
export function Statement({ memberId, kind, changes, onChanged }: StatementProps) {
  const { api } = useRealm();
  const { query, set } = useQuery();
  const [reversing, setReversing] = useState<Transaction | null>(null);
  const { type = '' } = query;
  const pages = usePages<Transaction>(`${memberId} ${kind.id} ${type} ${changes}`, (cursor) =>
    api.member(memberId).transactions({
      ...given({ cursor, type: movementType(type) }),
      realmPointId: kind.id,
      limit: 50,
    }),
  );
  return (
    <div class="stack tight">
      <div class="toolbar">
        <Select
          label="Type of movement"
          value={type}
          choices={MOVEMENT_CHOICES}
          onChange={(value) => set({ type: value })}
        />
      </div>
      {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
      <div class="flush">
        <Table
          label="Statement"
          columns={columns(api.id, setReversing)}
          rows={pages.rows}
          rowKey={({ transactionId }) => transactionId}
          rowClass={({ reversedBy }) => (reversedBy ? 'undone' : '')}
          hasMore={pages.hasMore}
          onMore={pages.more}
          empty={<Empty icon="points" title="No movements" />}
        />
      </div>
      {reversing && (
        <ReverseDialog
          transaction={reversing}
          kind={kind}
          onChanged={onChanged}
          onClose={() => setReversing(null)}
        />
      )}
    </div>
  );
}

const isReversible = ({ type, tokens, reversedTokens }: Transaction): boolean =>
  may('write') && type !== 'points.reversed' && Math.abs(tokens) > reversedTokens;

const columns = (
  realm: string,
  onReverse: (transaction: Transaction) => void,
): Column<Transaction>[] => [
  {
    id: 'what',
    header: 'What',
    cell: (one) => (
      <div class="two-lines">
        <span class="ellipsis">
          {one.description ? <Text value={one.description} /> : movementName(one.type)}
          {one.reversedBy !== null && <span class="muted"> · undone</span>}
        </span>
        <span class="caption ellipsis">
          <a class="quiet-link" href={addresses.record(realm, one.transactionId)}>
            <Time at={one.at} />
          </a>
          {one.counterpartyId && (
            <>
              {one.tokens < 0 ? ' · to ' : ' · from '}
              <Counterparty id={one.counterpartyId} />
            </>
          )}
        </span>
      </div>
    ),
  },
  {
    id: 'tokens',
    header: 'Points',
    isNumber: true,
    width: 76,
    cell: ({ tokens }) => <Movement value={tokens} />,
  },
  {
    id: 'balance',
    header: 'Balance',
    isNumber: true,
    width: 84,
    cell: ({ balance }) => formatNumber(balance),
  },
  {
    id: 'actions',
    header: '',
    width: 36,
    cell: (one) =>
      isReversible(one) && (
        <Button small tone="quiet" icon="undo" label="Undo" onClick={() => onReverse(one)} />
      ),
  },
];
