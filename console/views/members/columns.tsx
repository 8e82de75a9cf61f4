import type { Kind, Member } from '@realmkeep/client';
import type { Selection } from '../../state/selection.ts';
import { MemberLink, nameOf } from '../../ui/MemberName.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Amount, Id, Time } from '../../ui/Values.tsx';

/** A box in each row; with Shift it selects all from the last one. The heading has the loaded rows. */
export const selectColumn = (
  selection: Selection<Member>,
  listed: readonly Member[],
): Column<Member> => {
  const isAll = listed.length > 0 && listed.every(selection.has);
  return {
    id: 'select',
    header: 'Select',
    width: 44,
    head: (
      <input
        type="checkbox"
        aria-label="Select the rows shown"
        checked={isAll}
        onChange={() => selection.set(isAll ? [] : listed)}
      />
    ),
    cell: (member) => (
      <input
        type="checkbox"
        aria-label={`Select ${nameOf(member)}`}
        checked={selection.has(member)}
        onClick={(event) => selection.toggle(member, event.shiftKey)}
      />
    ),
  };
};

export const memberColumns = (kind: Kind, href: (member: Member) => string): Column<Member>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: (member) => (
      <span class="row">
        <MemberLink member={member} href={href(member)} />
        {member.tags.slice(0, 2).map((tag) => (
          <span key={tag} class="badge not-on-phones">
            <Text value={tag} />
          </span>
        ))}
        {member.status === 'frozen' && <span class="badge accent">Frozen</span>}
      </span>
    ),
  },
  {
    id: 'id',
    header: 'Id',
    sort: 'id',
    from: 'wide',
    width: 160,
    cell: ({ id }) => <Id value={id} />,
  },
  {
    id: 'balance',
    header: kind.name,
    sort: '-balance',
    isNumber: true,
    width: 120,
    figure: ({ balances }) => balances[kind.id] ?? 0,
    // By its key, so that another kind is not shown as a change.
    cell: ({ balances }) => <Amount key={kind.id} value={balances[kind.id] ?? 0} />,
  },
  {
    id: 'held',
    header: 'On hold',
    isNumber: true,
    from: 'medium',
    width: 112,
    figure: ({ held }) => Number(held[kind.id] ?? 0),
    cell: ({ held }) =>
      BigInt(held[kind.id] ?? 0) > 0n ? (
        <Amount key={kind.id} class="held" value={held[kind.id] ?? 0} />
      ) : (
        <span class="muted">–</span>
      ),
  },
  {
    id: 'wallets',
    header: 'Wallets',
    isNumber: true,
    from: 'wide',
    width: 96,
    cell: ({ wallets }) => wallets.length || <span class="muted">–</span>,
  },
  {
    id: 'active',
    header: 'Last active',
    from: 'wide',
    width: 124,
    cell: ({ lastActiveAt }) => (
      <span class="muted">
        <Time at={lastActiveAt} />
      </span>
    ),
  },
  {
    id: 'joined',
    header: 'Joined',
    sort: '-createdAt',
    from: 'medium',
    width: 140,
    cell: ({ createdAt }) => (
      <span class="muted">
        <Time at={createdAt} />
      </span>
    ),
  },
];
