import type { Kind, LeaderboardRow } from '@realmkeep/client';
import { addresses } from '../../addresses.ts';
import { serviceNow } from '../../api/clock.ts';
import { MAX_PAGE } from '../../api/limits.ts';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { learnNames } from '../../state/names.ts';
import { useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { endBefore, type Reason, topReasons } from '../../text/period.ts';
import { useStableWhileHovered } from '../../ui/hovering.ts';
import { useKind } from '../../ui/KindSelect.tsx';
import { MemberLink } from '../../ui/MemberName.tsx';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Values.tsx';

/** What most points were issued and spent for. Descriptions can be erased, so no sums are kept. */
export function Reasons({ kind, days }: { kind: Kind; days: number }) {
  const { api, realm } = useRealm();
  const key = `reasons ${realm.id} ${kind.id} ${days}`;
  const { value, error, reload } = useAnswer(key, (signal) => {
    const from = endBefore(days, serviceNow());
    return api.transactions({ realmPointId: kind.id, from, limit: MAX_PAGE, signal });
  });
  const [issued, spent] = [false, true].map((isSpent) => topReasons(value?.items ?? [], isSpent));
  const oldest = value?.nextCursor ? value.items.at(-1) : undefined;
  return (
    <section class="card">
      <header>
        <h2>Top reasons</h2>
      </header>
      {error && <ProblemNote error={error} retry={reload} />}
      {value && issued?.length === 0 && spent?.length === 0 && (
        <Empty icon="points" title="Nothing was issued or spent">
          <p>What points are given and taken for is listed here.</p>
        </Empty>
      )}
      <div class="body stack">
        <List title="Issued for" reasons={issued ?? []} />
        <List title="Spent on" reasons={spent ?? []} />
        {oldest && (
          <p class="caption">
            Of the latest {formatNumber(MAX_PAGE)} movements, since <Time at={oldest.at} />.
          </p>
        )}
      </div>
    </section>
  );
}

function List({ title, reasons }: { title: string; reasons: Reason[] }) {
  const top = Number(reasons[0]?.tokens);
  if (reasons.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="reasons">
        {reasons.map(({ description, tokens }) => (
          <li key={description}>
            <span class={description ? 'ellipsis' : 'muted'}>
              <Text value={description || 'No reason given'} />
            </span>
            <b class="amount">{formatNumber(tokens)}</b>
            <i style={{ width: `${(100 * Number(tokens)) / top}%` }} aria-hidden="true" />
          </li>
        ))}
      </ul>
    </div>
  );
}

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
