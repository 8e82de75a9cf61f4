import type { Kind, Member } from '@realmkeep/client';
import { MemberLink } from '../../ui/MemberName.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Amount, Id, Time } from '../../ui/Values.tsx';

export const memberColumns = (kind: Kind, href: (member: Member) => string): Column<Member>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: (member) => (
      <span class="row">
        <MemberLink member={member} href={href(member)} />
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
