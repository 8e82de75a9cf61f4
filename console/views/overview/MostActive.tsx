import type { LeaderboardRow } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { learnNames } from '../../state/names.ts';
import { useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { MemberLink } from '../../ui/MemberName.tsx';
import { Empty } from '../../ui/States.tsx';
import { useStill } from '../../ui/still.ts';
import { type Column, Table } from '../../ui/Table.tsx';

const SHOWN = 8;

/** Who earned most this month. */
export function MostActive() {
  const { api, realm } = useRealm();
  const { value, reload } = useAnswer(`most active ${realm.id}`, async (signal) => {
    const { members } = await api.leaderboard({ window: 'month', limit: SHOWN, signal });
    learnNames(realm.id, members);
    return members;
  });
  useArrivals(({ type }) => type.startsWith('points.'), reload);
  const { shown, handlers } = useStill(value);
  return (
    <section class="card" {...handlers}>
      <header>
        <h2>Earned most this month</h2>
        <a class="link push" href={`${addresses.leaderboard(realm.id)}?window=month`}>
          All
        </a>
      </header>
      <Table
        label="Earned most this month"
        columns={columns(realm.id)}
        rows={shown}
        rowKey={({ id }) => id}
        rowClass={() => 'linked'}
        empty={
          <Empty icon="leaderboard" title="Nobody has earned points this month">
            <p>Award some, and the most active members are here.</p>
          </Empty>
        }
      />
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
    cell: ({ earned }) => formatNumber(earned ?? 0),
  },
];
