import type { Leaderboard as Answer, LeaderboardRow } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { serviceNow } from '../../api/clock.ts';
import { View } from '../../frame/View.tsx';
import { useAnswer } from '../../state/answers.ts';
import { useArrivals } from '../../state/live.ts';
import { usePages } from '../../state/pages.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { before, pastPeriods, type Span } from '../../text/periods.ts';
import { amountOf } from '../../text/sentence.ts';
import { movesSince, rankMoves, standingsForDiscord } from '../../text/standings.ts';
import { Button } from '../../ui/Button.tsx';
import { Segments } from '../../ui/Choices.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Select } from '../../ui/Field.tsx';
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
  const { realm } = useRealm();
  const kind = useKind();
  const { window, period } = useChosen();
  const at = period?.value;
  const pages = useBoard(window, at);
  const [isOutdated, setOutdated] = useState(false);
  useArrivals(
    ({ type }) => type.startsWith('points.'),
    () => setOutdated(true),
  );
  useEffect(() => setOutdated(false), [window, at, kind.id]);
  const compared = useCompared(window, at);
  // While stale they are those of another board, under the name of this one.
  const { rows = [], isStale } = pages;
  const refresh = (): void => {
    setOutdated(false);
    pages.reload();
    compared.reload();
  };
  const moves = isStale ? new Map() : movesOf(pages, compared.value, at);
  const shown = { rows, isStale, window, past: period?.label };
  const file = [realm.id, 'leaderboard', ...(at ? [window, at] : [])].join('-');
  const since = at && `Since the ${window} before`;
  return (
    <View title="Leaderboard">
      <div class="content">
        <div class="toolbar">
          <Choosing />
          <KindSelect />
          {isOutdated && !at && (
            <Button small onClick={refresh}>
              Show the latest
            </Button>
          )}
          <div class="push">{rows.length > 0 && <CopyForDiscord {...shown} />}</div>
        </div>
        <p class="caption">{explain(window, at)}</p>
        {pages.error && <ProblemNote error={pages.error} retry={pages.reload} />}
        <div class="card">
          {!isStale && <Podium rows={rows} say={(row) => amountOf(row.tokens, kind)} />}
          <div class="sticky-head">
            <Table
              label="Leaderboard"
              columns={boardColumns(realm.id, window !== 'all', rows[0], moves, since)}
              rows={pages.rows}
              rowKey={pages.rowKey}
              rowClass={() => 'linked'}
              paging={pages}
              empty={at ? <Empty icon="leaderboard" title={NOBODY_THEN} /> : emptyNow(window)}
            />
          </div>
        </div>
        <SaveList name={file} rows={isStale ? [] : rows} columns={BOARD_COLUMNS} />
      </div>
    </View>
  );
}

/** What the address says. */
function useChosen() {
  const { realm } = useRealm();
  const { query, set } = useQuery();
  const window = WINDOWS.find(({ value }) => value === query.window)?.value ?? 'all';
  const since = Date.parse(realm.createdAt);
  const periods = isSpan(window) ? pastPeriods(window, since, serviceNow()) : [];
  return { window, periods, period: periods.find(({ value }) => value === query.at), set };
}

function Choosing() {
  const { window, periods, period, set } = useChosen();
  return (
    <>
      <Segments
        label="Window"
        value={window}
        choices={[...WINDOWS]}
        onChange={(value) => set({ window: value === 'all' ? '' : value, at: '' })}
      />
      {periods.length > 0 && (
        <Select
          label="Period"
          value={period?.value ?? ''}
          choices={[{ value: '', label: `This ${window}` }, ...periods]}
          onChange={(value) => set({ at: value })}
        />
      )}
    </>
  );
}

function useBoard(window: Window, at: string | undefined) {
  const { api, realm } = useRealm();
  const realmPointId = useKind().id;
  const board = { realmPointId, window, ...(at && { at: `${at}T00:00:00Z` }) };
  return usePages<LeaderboardRow>({
    key: `leaderboard ${realm.id} ${realmPointId} ${window} ${at}`,
    rowKey: ({ id }) => id,
    limit: 100,
    ask: async (page) => {
      const { members, nextCursor } = await api.leaderboard({ ...page, ...board });
      return { items: members, nextCursor };
    },
  });
}

const NOBODY_THEN = 'Nobody earned points then';

const emptyNow = (window: Window) => (
  <Empty icon="leaderboard" title={EMPTY[window]}>
    <p>Members appear as soon as they {window === 'all' ? 'have' : 'earn'} points.</p>
  </Empty>
);

const BOARD_COLUMNS = ['rank', 'id', 'displayName', 'username', 'balance', 'earned'] as const;

const isSpan = (window: Window): window is Span => window === 'week' || window === 'month';

/** As many as the other leaderboard is read of. */
const MOST_COMPARED = 1_000;

/** Today's leaderboard, or that before a past one; from both follows who has moved. */
function useCompared(window: Window, at: string | undefined) {
  const { api, realm } = useRealm();
  const realmPointId = useKind().id;
  return useAnswer(`moves ${realm.id} ${realmPointId} ${window} ${at}`, async (signal) => {
    const other = at ? { window, at: before(at) } : { window: 'day' as const };
    const board = { realmPointId, limit: MOST_COMPARED, signal, ...other };
    return isSpan(window) ? api.leaderboard(board) : null;
  });
}

type Board = { rows: LeaderboardRow[] | undefined; hasMore: boolean };

function movesOf({ rows, hasMore }: Board, other: Answer | null | undefined, at?: string) {
  if (!rows || !other) return new Map<string, number | null>();
  const compared = { rows: other.members, hasMore: other.nextCursor !== null };
  return (at ? movesSince : rankMoves)({ rows, hasMore }, compared);
}

/** As many as a message is read of. */
const MOST_TOLD = 10;

interface Copied {
  rows: LeaderboardRow[];
  isStale: boolean;
  window: Window;
  past: string | undefined;
}

function CopyForDiscord({ rows, isStale, window, past }: Copied) {
  const { realm } = useRealm();
  const kind = useKind();
  const present = window === 'all' ? 'all time' : `the ${window}`;
  const copy = async (): Promise<void> => {
    const text = standingsForDiscord({
      title: `${realm.name}: the top of ${past?.replace(/^Week/, 'the week') ?? present}`,
      rows: rows.slice(0, MOST_TOLD).map((row) => ({ ...row, name: nameOf(row) })),
      kind,
      at: past ? null : serviceNow(),
    });
    const isCopied = await copyText(text, document.body);
    toast(
      isCopied
        ? { text: 'Copied: paste it into a channel' }
        : { text: 'The browser does not allow copying.', isProblem: true },
    );
  };
  return (
    <Button icon="copy" busy={isStale} onClick={() => void copy()}>
      Copy for Discord
    </Button>
  );
}

const EMPTY = {
  all: 'Nobody is on this leaderboard yet',
  month: 'Nobody has earned points this month',
  week: 'Nobody has earned points this week',
  day: 'Nobody has earned points today',
};

function explain(window: Window, at: string | undefined): string {
  if (window === 'all') return 'Ranked by balance.';
  const ranked = 'Ranked by points earned. Gifts between members do not count.';
  const more = at ? 'It is final; balances are those of now.' : 'Days begin at midnight UTC.';
  return `${ranked} ${more}`;
}
