import type { LeaderboardRow } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../addresses.ts';
import { View } from '../frame/View.tsx';
import { useArrivals } from '../state/live.ts';
import { usePages } from '../state/pages.ts';
import { useRealm } from '../state/realm.ts';
import { listFile } from '../text/csv.ts';
import { formatNumber } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { Segments } from '../ui/Choices.tsx';
import { KindSelect, useKind } from '../ui/KindSelect.tsx';
import { MemberLink } from '../ui/MemberName.tsx';
import { useQuery } from '../ui/query.ts';
import { Empty, ProblemNote } from '../ui/States.tsx';
import { SaveList } from '../ui/SaveList.tsx';
import { type Column, Table } from '../ui/Table.tsx';

const WINDOWS = [
  { value: 'all', label: 'All time' },
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'day', label: 'Day' },
] as const;

export function Leaderboard() {
  const { api, realm } = useRealm();
  const { query, set } = useQuery();
  const kind = useKind().id;
  const window = WINDOWS.find(({ value }) => value === query.window)?.value ?? 'all';
  const pages = usePages<LeaderboardRow>({
    key: `leaderboard ${realm.id} ${kind} ${window}`,
    rowKey: ({ id }) => id,
    limit: 100,
    ask: async (page) => {
      const board = await api.leaderboard({ ...page, realmPointId: kind, window });
      return { items: board.members, nextCursor: board.nextCursor };
    },
  });
  const [isOutdated, setOutdated] = useState(false);
  useArrivals(
    ({ type }) => type.startsWith('points.'),
    () => setOutdated(true),
  );
  const refresh = (): void => {
    setOutdated(false);
    pages.reload();
  };
  return (
    <View title="Leaderboard">
      <div class="content">
        <div class="toolbar">
          <Segments
            label="Window"
            value={window}
            choices={[...WINDOWS]}
            onChange={(value) => set({ window: value === 'all' ? '' : value })}
          />
          <KindSelect />
          {isOutdated && (
            <Button small onClick={refresh}>
              Show the latest
            </Button>
          )}
          <span class="caption push">{explain(window)}</span>
        </div>
        {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
        <div class="card sticky-head">
          <Table
            label="Leaderboard"
            columns={columns(realm.id, window !== 'all', pages.rows?.[0])}
            rows={pages.rows}
            rowKey={pages.rowKey}
            rowClass={() => 'linked'}
            paging={pages}
            empty={
              <Empty icon="leaderboard" title={EMPTY[window]}>
                <p>Members appear as soon as they {window === 'all' ? 'have' : 'earn'} points.</p>
              </Empty>
            }
          />
        </div>
        <SaveList name={`${realm.id}-leaderboard`} rows={pages.rows} file={boardFile} />
      </div>
    </View>
  );
}

const boardFile = (rows: readonly LeaderboardRow[]): string =>
  listFile(
    ['rank', 'id', 'displayName', 'username', 'balance', 'earned'],
    rows.map((row) => [
      ...[row.rank, row.id, row.displayName, row.username],
      ...[row.balance, row.earned],
    ]),
  );

const EMPTY = {
  all: 'Nobody is on this leaderboard yet',
  month: 'Nobody has earned points this month',
  week: 'Nobody has earned points this week',
  day: 'Nobody has earned points today',
};

const explain = (window: string): string =>
  window === 'all'
    ? 'Ranked by balance.'
    : 'Ranked by points earned. Gifts between members do not count. Days begin at midnight UTC.';

/** A longer figure leaves no room for the name beside it on a phone. */
const LONG = 12;

const columns = (
  realm: string,
  isEarned: boolean,
  first: LeaderboardRow | undefined,
): Column<LeaderboardRow>[] => {
  const figureOf = ({ earned, balance }: LeaderboardRow) => (isEarned ? (earned ?? 0) : balance);
  // The first has the largest.
  const isBelow = first !== undefined && formatNumber(figureOf(first)).length > LONG;
  return [
    {
      id: 'rank',
      header: 'Rank',
      width: 56,
      cell: ({ rank }) => <span class="rank">{rank === null ? '–' : formatNumber(rank)}</span>,
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
    ...(isEarned
      ? [
          {
            id: 'earned',
            header: 'Earned',
            isNumber: true,
            width: 96,
            figure: (row: LeaderboardRow) => Number(figureOf(row)),
            ...(isBelow ? { from: 'medium' as const } : {}),
            cell: (row: LeaderboardRow) => <b>{formatNumber(figureOf(row))}</b>,
          },
        ]
      : []),
    {
      id: 'balance',
      header: 'Balance',
      isNumber: true,
      width: 112,
      figure: ({ balance }) => balance,
      ...(isEarned || isBelow ? { from: 'medium' as const } : {}),
      cell: ({ balance }) => formatNumber(balance),
    },
  ];
};
