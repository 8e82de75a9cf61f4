import type { Kind, LeaderboardRow } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { learnNames } from '../../state/names.ts';
import { useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { useStableWhileHovered } from '../../ui/hovering.ts';
import { useKind } from '../../ui/KindSelect.tsx';
import { MemberLink } from '../../ui/MemberName.tsx';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';

const SHOWN = 8;

/** Who earned most this month, of the point type that the chart shows. */
export function TopEarners({ usual }: { usual: Kind }) {
  const { api, realm } = useRealm();
  const kind = useKind(usual).id;
  const { value, error, reload } = useAnswer(`top earners ${realm.id} ${kind}`, async (signal) => {
    const board = { realmPointId: kind, window: 'month', limit: SHOWN } as const;
    const { members } = await api.leaderboard({ ...board, signal });
    learnNames(realm.id, members);
    return members;
  });
  useArrivals(({ type }) => type.startsWith('points.'), reload);
  const { shown, handlers } = useStableWhileHovered(value);
  return (
    <section class="card" {...handlers}>
      <header>
        <h2>Top earners this month</h2>
        <a class="link push" href={`${addresses.leaderboard(realm.id)}?window=month&kind=${kind}`}>
          All
        </a>
      </header>
      {error && <ProblemNote error={error} retry={reload} />}
      {(shown || !error) && (
        <Table
          label="Top earners this month"
          columns={columns(realm.id)}
          rows={shown}
          rowKey={({ id }) => id}
          rowClass={() => 'linked'}
          empty={
            <Empty icon="leaderboard" title="Nobody has earned points this month">
              <p>Award some, and those who earn most are listed here.</p>
            </Empty>
          }
        />
      )}
    </section>
  );
}

const columns = (realm: string): Column<LeaderboardRow>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (row) => <MemberLink member={row} href={addresses.member(realm, row.id)} />,
  },
  {
    id: 'earned',
    header: 'Earned',
    isNumber: true,
    width: 96,
    figure: ({ earned }) => Number(earned),
    cell: ({ earned }) => formatNumber(earned ?? 0),
  },
];
