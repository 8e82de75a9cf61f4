import type { Kind, Member } from '@realmkeep/client';
import type { Selection } from '../../state/selection.ts';
import { ShareBar } from '../../ui/Marks.tsx';
import { MemberLink, nameOf } from '../../ui/MemberName.tsx';
import { RowMenu } from '../../ui/Menu.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { timeColumn } from '../../ui/time-column.tsx';
import { Amount, Id } from '../../ui/Values.tsx';

/** A box in each row, with Shift for all from the last one; the heading has the loaded rows. */
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

/** With `most`, the largest balance of the list, beside which the others are shown. */
export const memberColumns = (
  kind: Kind,
  href: (member: Member) => string,
  most: number,
): Column<Member>[] => [
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
  ID,
  {
    id: 'balance',
    header: kind.name,
    sort: '-balance',
    isNumber: true,
    width: 120,
    figure: ({ balances }) => balances[kind.id] ?? 0,
    // By its key, so that another kind is not shown as a change.
    cell: ({ balances }) => (
      <>
        <Amount key={kind.id} value={balances[kind.id] ?? 0} />
        <ShareBar share={(balances[kind.id] ?? 0) / most} />
      </>
    ),
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
  WALLETS,
  { ...timeColumn('active', 'Last active', (one: Member) => one.lastActiveAt), from: 'wide' },
  {
    ...timeColumn('joined', 'Joined', ({ createdAt }: Member) => createdAt),
    sort: '-createdAt',
  },
  menuColumn(href),
];

const ID: Column<Member> = {
  id: 'id',
  header: 'Id',
  sort: 'id',
  from: 'wide',
  width: 160,
  cell: ({ id }) => <Id value={id} />,
};

const WALLETS: Column<Member> = {
  id: 'wallets',
  header: 'Wallets',
  isNumber: true,
  from: 'wide',
  width: 96,
  cell: ({ wallets }) => wallets.length || <span class="muted">–</span>,
};

/** Where its menu leads: to a part of the panel. */
const PARTS = [
  { label: 'Claims', icon: 'claim', tab: 'claims' },
  { label: 'On hold', icon: 'hold', tab: 'holds' },
  { label: 'Wallets', icon: 'wallet', tab: 'wallets' },
  { label: 'Details', icon: 'person', tab: 'details' },
] as const;

const menuColumn = (href: (member: Member) => string): Column<Member> => ({
  id: 'menu-cell',
  header: '',
  width: 56,
  from: 'medium',
  cell: (member) => (
    <RowMenu
      label={`More of ${nameOf(member)}`}
      items={PARTS.map(({ tab, ...part }) => ({ ...part, href: withTab(href(member), tab) }))}
    />
  ),
});

export const largestOf = (rows: readonly Member[] | undefined, kind: Kind): number =>
  (rows ?? []).reduce((most, { balances }) => Math.max(most, balances[kind.id] ?? 0), 1);

const withTab = (href: string, tab: string): string =>
  `${href}${href.includes('?') ? '&' : '?'}${new URLSearchParams({ tab })}`;
