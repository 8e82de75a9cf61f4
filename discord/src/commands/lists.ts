import type { Transaction } from '@realmkeep/client';
import { enrolled, membersById, nameOf, plainNameOf } from '../members.ts';
import { button, card, footer, type Message, type Row, row, toAll } from '../reply.ts';
import { ask, type Steps } from '../steps.ts';
import { cut, escaped, inCode } from '../text/names.ts';
import { textsFor } from '../text/texts.ts';
import { ago } from '../text/words.ts';
import { type Command, shownBy, type Use } from './command.ts';
import { completeKinds, kindIn, kindOption } from './inputs.ts';

/** Of a history; of a leaderboard. Within the 500 rows of a page of the service. */
const MOVEMENTS = 8;
const RANKS = 10;
const MOST_PAGES = 49;

const pageOf = (text: string | undefined): number =>
  Math.min(Math.max(1, Math.trunc(Number(text)) || 1), MOST_PAGES);

/** Buttons to the pages beside one. An action of `name` gets the page as its last argument. */
function pager(name: string, page: number, isLast: boolean, back: string, on: string): Row[] {
  const buttons = [
    ...(page > 1 ? [button(back, `${name}:${page - 1}`)] : []),
    ...(isLast || page === MOST_PAGES ? [] : [button(on, `${name}:${page + 1}`)]),
  ];
  return buttons.length > 0 ? [row(...buttons)] : [];
}

const history: Command = {
  name: 'history',
  description: 'Where your points came from, and where they went',
  ...shownBy(historyPage),
};

/** Pages are counted, as a cursor is too long for a button: what comes before is read again. */
function* historyPage(use: Use, turnedTo?: string): Steps<Message> {
  const { texts } = use;
  const page = pageOf(turnedTo);
  const { id } = yield* enrolled(use);
  const limit = page * MOVEMENTS + 1;
  const { items } = yield* ask('memberTransactions', { memberID: id }, { limit });
  const lines = yield* movementLines(use, items.slice((page - 1) * MOVEMENTS, limit - 1));
  const pages = pager('history', page, items.length < limit, texts.newer, texts.older);
  return card(lines.join('\n') || texts.noHistory, { title: texts.history }, pages);
}

export function* movementLines(use: Use, rows: readonly Transaction[]): Steps<string[]> {
  const others = yield* membersById(rows.flatMap(({ counterpartyId: id }) => id ?? []));
  return rows.map((one) => {
    const { counterpartyId: id, tokens, realmPointId, at } = one;
    const amount = use.words.amount(Math.abs(tokens), realmPointId);
    const direction = tokens < 0 ? use.texts.to : use.texts.from;
    const other = id === null ? '' : direction(nameOf(id, others.get(id)));
    const parts = [`**${tokens < 0 ? '−' : '+'}${amount}**`, other, whyOf(use, one), ago(at)];
    return parts.filter(Boolean).join(' · ');
  });
}

/** A gift says enough by itself. */
function whyOf({ texts }: Use, { type, description, originalDescription }: Transaction): string {
  const given = escaped(cut(description ?? originalDescription ?? '', 80));
  const kind = type === 'points.transferred' ? '' : (texts.movements[type] ?? type);
  return given && type === 'points.reversed' ? `${kind}: ${given}` : given || kind;
}

const WINDOWS = textsFor('en').windows;

const leaderboard: Command = {
  name: 'leaderboard',
  description: 'Who has the most points',
  options: [
    {
      type: 3,
      name: 'window',
      description: 'Points earned in that time; all points by default',
      choices: Object.entries(WINDOWS).map(([value, name]) => ({ name, value })),
    },
    kindOption,
  ],
  shownTo: 'all',
  complete: completeKinds,
  *answer(use) {
    return toAll(yield* leaderboardPage(use, String(use.options.window)));
  },
};

function* leaderboardPage(use: Use, named = '', kind?: string, turnedTo?: string): Steps<Message> {
  const { words, texts } = use;
  const [kindId, page] = [kindIn(use, kind), pageOf(turnedTo)];
  const window = named in WINDOWS ? (named as keyof typeof WINDOWS) : 'all';
  const fields = { window, realmPointId: kindId, limit: page * RANKS };
  const { members, total } = yield* ask('getLeaderboard', {}, fields);
  // Those who have none are no rank.
  const ranked = members.slice((page - 1) * RANKS).filter(({ tokens }) => tokens !== 0);
  const rows = ranked.map(({ rank, tokens, id, ...names }) => {
    return [String(rank ?? ''), words.number(tokens), inCode(plainNameOf(id, names))] as const;
  });
  const name = words.kinds.find(({ id }) => id === kindId)?.name ?? kindId;
  const isLast = page * RANKS >= total || rows.length < RANKS;
  return card(
    rows.length > 0 ? table(rows) : texts.nobody,
    {
      title: `${texts.leaderboard} · ${texts.windows[window]}`,
      ...footer(cut(name, 100)),
    },
    pager(`leaderboard:${window}:${kindId}`, page, isLast, texts.previous, texts.next),
  );
}

/** What a phone shows of a code block on one line. Names come last: any width fits. */
const COLUMNS = 28;

function table(rows: (readonly [rank: string, points: string, name: string])[]): string {
  const ranks = Math.max(...rows.map(([rank]) => rank.length));
  const points = Math.max(...rows.map(([, each]) => each.length));
  const names = Math.max(6, COLUMNS - ranks - points - 4);
  const lines = rows.map(([rank, each, name]) =>
    [rank.padStart(ranks), each.padStart(points), cut(name, names)].join('  '),
  );
  return ['```', ...lines, '```'].join('\n');
}

export const listCommands: Command[] = [history, leaderboard];
export const listActions = { history, leaderboard: shownBy(leaderboardPage) };
