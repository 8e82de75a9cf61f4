import type { LeaderboardRow } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { addresses } from '../addresses.ts';
import { View } from '../frame/View.tsx';
import { useArrivals } from '../state/live.ts';
import { usePages } from '../state/pages.ts';
import { useRealm } from '../state/realm.ts';
import { formatNumber } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { Segments } from '../ui/Choices.tsx';
import { KindSelect, useKind } from '../ui/KindSelect.tsx';
import { MemberLink } from '../ui/MemberName.tsx';
import { useQuery } from '../ui/query.ts';
import { Empty, ProblemNote } from '../ui/States.tsx';
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
            columns={columns(realm.id, window !== 'all')}
            rows={pages.rows}
            rowKey={pages.rowKey}
            rowClass={() => 'linked'}
            paging={pages}
            empty={
              <Empty icon="leaderboard" title="Nobody is on this leaderboard yet">
                <p>Members appear as soon as they have points.</p>
              </Empty>
            }
          />
        </div>
      </div>
    </View>
  );
}

const explain = (window: string): string =>
  window === 'all'
    ? 'Ranked by balance.'
    : 'Ranked by points earned. Gifts between members do not count. Days begin at midnight UTC.';

const columns = (realm: string, isEarned: boolean): Column<LeaderboardRow>[] => [
  {
    id: 'rank',
    header: 'Rank',
    width: 64,
    cell: ({ rank }) => <span class="rank">{rank === null ? '–' : formatNumber(rank)}</span>,
  },
  {
    id: 'name',
    header: 'Name',
    cell: (row) => <MemberLink member={row} href={addresses.member(realm, row.id)} />,
  },
  ...(isEarned
    ? [
        {
          id: 'earned',
          header: 'Earned',
          isNumber: true,
          width: 96,
          figure: ({ earned }: LeaderboardRow) => earned ?? 0,
          cell: ({ earned }: LeaderboardRow) => <b>{formatNumber(earned ?? 0)}</b>,
        },
      ]
    : []),
  {
    id: 'balance',
    header: 'Balance',
    isNumber: true,
    width: 112,
    figure: ({ balance }) => balance,
    ...(isEarned ? { from: 'medium' as const } : {}),
    cell: ({ balance }) => formatNumber(balance),
  },
];
