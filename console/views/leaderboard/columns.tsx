import type { LeaderboardRow } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import { formatNumber } from '../../text/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ShareBar } from '../../ui/Marks.tsx';
import { MemberLink } from '../../ui/MemberName.tsx';
import type { Column } from '../../ui/Table.tsx';

/** A longer figure leaves no room for the name beside it on a phone. */
const LONG = 12;

export function boardColumns(
  realm: string,
  isEarned: boolean,
  first: LeaderboardRow | undefined,
  moves: ReadonlyMap<string, number | null>,
  since = 'Since midnight UTC',
): Column<LeaderboardRow>[] {
  const figureOf = ({ earned, balance }: LeaderboardRow) => (isEarned ? (earned ?? 0) : balance);
  // The first has the largest.
  const most = first === undefined ? 0 : figureOf(first);
  const isBelow = formatNumber(most).length > LONG;
  return [
    {
      id: 'rank',
      header: 'Rank',
      width: moves.size > 0 ? 104 : 56,
      cell: ({ rank, id }) => (
        <span class="row rank">
          {rank === null ? '–' : formatNumber(rank)}
          <RankMove by={moves.get(id)} since={since} />
        </span>
      ),
    },
    {
      id: 'name',
      header: 'Name',
      cell: (row) => (
        <div class={isBelow ? 'two-lines' : ''}>
          <MemberLink member={row} href={addresses.member(realm, row.id)} />
          {isBelow && (
            <span class="caption on-phones under-name">{formatNumber(figureOf(row))}</span>
          )}
        </div>
      ),
    },
    {
      id: 'tokens',
      header: isEarned ? 'Earned' : 'Balance',
      isNumber: true,
      width: 112,
      figure: (row) => Number(figureOf(row)),
      ...(isBelow ? { from: 'medium' as const } : {}),
      cell: (row) => (
        <>
          <b>{formatNumber(figureOf(row))}</b>
          <ShareBar share={Number(figureOf(row)) / Number(most)} />
        </>
      ),
    },
    ...(isEarned ? [BALANCE] : []),
  ];
}

const BALANCE: Column<LeaderboardRow> = {
  id: 'balance',
  header: 'Balance',
  isNumber: true,
  width: 112,
  figure: ({ balance }) => balance,
  from: 'medium',
  cell: ({ balance }) => <span class="muted">{formatNumber(balance)}</span>,
};

/** Places gained or lost; null for who is new. Nothing is said of who stayed. */
function RankMove({ by, since }: { by: number | null | undefined; since: string }) {
  if (by === null) return <span class="badge">new</span>;
  if (!by) return null;
  const said = by > 0 ? 'up' : 'down';
  return (
    <span class={by > 0 ? 'badge in' : 'badge out'} title={since}>
      <Icon name={said} />
      <span class="visually-hidden">{said}</span> {formatNumber(Math.abs(by))}
    </span>
  );
}
