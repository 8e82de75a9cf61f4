import type { Kind, Member, Transaction } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { given } from '../../api/service.ts';
import { canUndo } from '../../state/allowed.ts';
import { nameSignal } from '../../state/names.ts';
import { usePages } from '../../state/pages.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { dayEnd, dayStart } from '../../text/days.ts';
import { formatNumber } from '../../text/format.ts';
import {
  MOVEMENT_CHOICES,
  MOVEMENT_COLUMNS,
  movementName,
  movementType,
} from '../../text/movements.ts';
import { personIn } from '../../text/people.ts';
import { Also } from '../../ui/Also.tsx';
import { Button } from '../../ui/Button.tsx';
import { Counterparty } from '../../ui/Counterparty.tsx';
import { DayInput, Select } from '../../ui/Field.tsx';
import { Original } from '../../ui/Original.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { ByPerson } from '../../ui/PersonName.tsx';
import { useQuery } from '../../ui/query.ts';
import { Reference } from '../../ui/Reference.tsx';
import { SaveList } from '../../ui/SaveList.tsx';
import { Empty } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Movement, Time } from '../../ui/Values.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';

interface StatementProps {
  member: Member;
  kind: Kind;
  changes: number;
  onChanged: () => void;
}

/** Every movement with the balance after it, newest first. */
export function Statement({ member, kind, changes, onChanged }: StatementProps) {
  const { api, realm } = useRealm();
  const { query } = useQuery();
  const [reversing, setReversing] = useState<Transaction | null>(null);
  const { type = '', from = '', to = '' } = query;
  const filters = { type: movementType(type), from: dayStart(from), to: dayEnd(to) };
  const pages = usePages<Transaction>({
    key: JSON.stringify(['statement', realm.id, member.id, kind.id, filters]),
    rowKey: ({ transactionId }) => transactionId,
    limit: 50,
    ask: (page) =>
      api.member(member.id).transactions({ ...page, ...given(filters), realmPointId: kind.id }),
    version: changes,
  });
  const undoFor = (transaction: Transaction) =>
    mayChange(realm) && canUndo(member, kind, transaction) ? setReversing : null;
  const isReversing = ({ transactionId }: Transaction): boolean =>
    transactionId === reversing?.transactionId;
  return (
    <div class="stack tight">
      <Filters />
      <PagedTable
        class="flush"
        label="Statement"
        columns={columns(api.id, undoFor)}
        pages={pages}
        rowClass={(one) => (isUndone(one) ? 'undone' : '')}
        empty={<NoMovements isFiltered={`${type}${from}${to}` !== ''} />}
      />
      <SaveList
        name={`${realm.id}-${member.id}-statement`}
        rows={pages.rows}
        columns={MOVEMENT_COLUMNS}
      />
      {reversing && (
        <ReverseDialog
          member={member}
          transaction={pages.rows?.find(isReversing) ?? reversing}
          kind={kind}
          onChanged={onChanged}
          onClose={() => setReversing(null)}
        />
      )}
    </div>
  );
}

/** In the address, like all filters. Days are those of UTC, as in the chart above. */
function Filters() {
  const { query, set } = useQuery();
  const { type = '', from = '', to = '' } = query;
  return (
    <div class="toolbar">
      <Select
        label="Type of movement"
        value={type}
        choices={MOVEMENT_CHOICES}
        onChange={(value) => set({ type: value })}
      />
      <DayInput label="From" value={from} onChange={(day) => set({ from: day })} />
      <DayInput label="Until" value={to} onChange={(day) => set({ to: day })} />
    </div>
  );
}

const NoMovements = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon="search" title="No movements match">
      <p>Choose other days or all movements.</p>
    </Empty>
  ) : (
    <Empty icon="points" title="No movements yet">
      <p>Whatever is added, taken or given is listed here, with the balance after it.</p>
    </Empty>
  );

const isUndone = ({ tokens, reversedTokens }: Transaction): boolean =>
  reversedTokens === Math.abs(tokens);

/** An undo is named after what it undid. */
function MovementName({ one }: { one: Transaction }) {
  const { reversalOf, originalTokens, originalDescription } = one;
  if (reversalOf === null) return <>{movementName(one.type)}</>;
  const [some, all] = [one.tokens, originalTokens ?? one.tokens].map(Math.abs);
  return (
    <>
      Reversed{some !== all && ` ${formatNumber(some ?? 0)} of ${formatNumber(all ?? 0)}`}:{' '}
      <Original seq={reversalOf} description={originalDescription} />
    </>
  );
}

type Undo = (transaction: Transaction) => void;

/** Nothing is moved back from or to a member who was removed. */
function UndoButton({ one, onUndo }: { one: Transaction; onUndo: Undo }) {
  const { api } = useRealm();
  const { counterpartyId } = one;
  if (counterpartyId && nameSignal(api, counterpartyId).value === null) return null;
  return <Button small tone="quiet" icon="undo" label="Undo" onClick={() => onUndo(one)} />;
}

const columns = (
  realm: string,
  undoFor: (transaction: Transaction) => Undo | null,
): Column<Transaction>[] => [
  {
    id: 'what',
    header: 'What',
    cell: (one) => (
      <div class="two-lines">
        <span class="ellipsis">
          {one.description ? <Text value={one.description} /> : <MovementName one={one} />}
          {one.erased && <span class="muted"> · details erased</span>}
          {one.reversedBy !== null && (
            <span class="muted">
              {' · '}
              <a class="quiet-link" href={addresses.record(realm, one.reversedBy)}>
                {isUndone(one) ? 'undone' : 'partly undone'}
              </a>
            </span>
          )}
        </span>
        <span class="caption whole">
          <a class="quiet-link" href={addresses.record(realm, one.transactionId)}>
            <Time at={one.at} />
          </a>
          {one.counterpartyId && (
            <>
              {one.tokens < 0 ? ' · to ' : ' · from '}
              <Counterparty id={one.counterpartyId} />
            </>
          )}
          {personIn(one.actor) && <Also is={<ByPerson actor={one.actor} />} />}
          {one.reference && <Also is={<Reference value={one.reference} />} />}
          {one.reversalOf !== null && one.description && (
            <>
              {' · reverses '}
              <Original seq={one.reversalOf} description={one.originalDescription} />
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
    width: 76,
    // On phones the balance stands below it.
    figure: ({ tokens, balance }) => Math.max(Math.abs(tokens), Math.abs(balance)),
    cell: ({ tokens, balance }) => (
      <div class="two-lines">
        <Movement value={tokens} />
        <span class="caption on-phones">= {formatNumber(balance)}</span>
      </div>
    ),
  },
  {
    id: 'balance',
    header: 'Balance',
    isNumber: true,
    from: 'medium',
    width: 84,
    figure: ({ balance }) => balance,
    cell: ({ balance }) => formatNumber(balance),
  },
  {
    id: 'actions',
    header: '',
    width: 36,
    cell: (one) => {
      const onUndo = undoFor(one);
      return onUndo && <UndoButton one={one} onUndo={onUndo} />;
    },
  },
];
