import type { Leaderboard as Answer, LeaderboardRow } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { serviceNow } from '../../api/clock.ts';
import { View } from '../../frame/View.tsx';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { usePages } from '../../state/pages.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { amountOf } from '../../text/sentence.ts';
import { rankMoves, standingsForDiscord } from '../../text/standings.ts';
import { Button } from '../../ui/Button.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { KindSelect, useKind } from '../../ui/KindSelect.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { useQuery } from '../../ui/query.ts';
import { SaveList } from '../../ui/SaveList.tsx';
import { Empty, ProblemNote } from '../../ui/States.tsx';
import { Table } from '../../ui/Table.tsx';
import { boardColumns } from './columns.tsx';
import { Podium } from './Podium.tsx';

const WINDOWS = [
  { value: 'all', label: 'All time' },
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'day', label: 'Day' },
] as const;

type Window = (typeof WINDOWS)[number]['value'];

export function Leaderboard() {
  const { api, realm } = useRealm();
  const { query, set } = useQuery();
  const kind = useKind();
  const window = WINDOWS.find(({ value }) => value === query.window)?.value ?? 'all';
  const pages = usePages<LeaderboardRow>({
    key: `leaderboard ${realm.id} ${kind.id} ${window}`,
    rowKey: ({ id }) => id,
    limit: 100,
    ask: async (page) => {
      const board = await api.leaderboard({ ...page, realmPointId: kind.id, window });
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
    today.reload();
  };
  const today = useToday(window);
  const moves = pages.isStale ? new Map() : movesOf(pages, today.value);
  const rows = pages.rows ?? [];
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
          <div class="push">
            {rows.length > 0 && <CopyForDiscord rows={rows} window={window} />}
          </div>
        </div>
        <p class="caption">{explain(window)}</p>
        {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
        <div class="card">
          {!pages.isStale && <Podium rows={rows} say={(row) => amountOf(row.tokens, kind)} />}
          <div class="sticky-head">
            <Table
              label="Leaderboard"
              columns={boardColumns(realm.id, window !== 'all', rows[0], moves)}
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
        </div>
        <SaveList name={`${realm.id}-leaderboard`} rows={pages.rows} columns={BOARD_COLUMNS} />
      </div>
    </View>
  );
}

const BOARD_COLUMNS = ['rank', 'id', 'displayName', 'username', 'balance', 'earned'] as const;

/** As many as today's leaderboard is read of. */
const MOST_TODAY = 1_000;

/** Today's leaderboard, beside those of longer times; from both follows who has moved. */
function useToday(window: Window) {
  const { api, realm } = useRealm();
  const kind = useKind().id;
  const isLonger = window === 'week' || window === 'month';
  return useAnswer(`moves ${realm.id} ${kind} ${window}`, async (signal) => {
    const board = { realmPointId: kind, window: 'day', limit: MOST_TODAY } as const;
    return isLonger ? api.leaderboard({ ...board, signal }) : null;
  });
}

type Board = { rows: LeaderboardRow[] | undefined; hasMore: boolean };

const movesOf = ({ rows, hasMore }: Board, today: Answer | null | undefined) =>
  rows && today
    ? rankMoves({ rows, hasMore }, { rows: today.members, hasMore: today.nextCursor !== null })
    : new Map<string, number | null>();

/** As many as a message is read of. */
const MOST_TOLD = 10;

function CopyForDiscord({ rows, window }: { rows: LeaderboardRow[]; window: Window }) {
  const { realm } = useRealm();
  const kind = useKind();
  const copy = async (): Promise<void> => {
    const text = standingsForDiscord({
      title: `${realm.name}: ${TITLES[window]}`,
      rows: rows.slice(0, MOST_TOLD).map((row) => ({ ...row, name: nameOf(row) })),
      kind,
      at: serviceNow(),
    });
    const isCopied = await copyText(text, document.body);
    toast(
      isCopied
        ? { text: 'Copied: paste it into a channel' }
        : { text: 'The browser does not allow copying.', isProblem: true },
    );
  };
  return (
    <Button icon="copy" onClick={() => void copy()}>
      Copy for Discord
    </Button>
  );
}

const TITLES = {
  all: 'leaderboard',
  month: 'who earned most this month',
  week: 'who earned most this week',
  day: 'who earned most today',
};

const EMPTY = {
  all: 'Nobody is on this leaderboard yet',
  month: 'Nobody has earned points this month',
  week: 'Nobody has earned points this week',
  day: 'Nobody has earned points today',
};

const explain = (window: Window): string =>
  window === 'all'
    ? 'Ranked by balance.'
    : 'Ranked by points earned. Gifts between members do not count. Days begin at midnight UTC.';
