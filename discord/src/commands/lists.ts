import type { Transaction } from '@realmkeep/client';
import type { Asked } from '../asked.ts';
import { enrolled, membersById, nameOf, plainNameOf } from '../members.ts';
import { type Message, type Row, toAll, toOne, update } from '../reply.ts';
import { ask, type Steps } from '../steps.ts';
import { type Kinds, number, timestamp } from '../text/amounts.ts';
import { column, cut, escaped, inCode } from '../text/names.ts';
import type { Texts } from '../text/texts.ts';
import {
  type Action,
  allKinds,
  button,
  type Command,
  card,
  completeKinds,
  kindOption,
  kindsAnd,
  row,
} from './command.ts';

/** Of a history; of a leaderboard. Within the 500 rows of a page of the service. */
const MOVEMENTS = 8;
const RANKS = 10;
const MOST_PAGES = 49;

export const pageOf = (text: string): number =>
  Math.min(Math.max(1, Math.trunc(Number(text)) || 1), MOST_PAGES);

/** Buttons to the pages beside one. An action of `name` gets the page as its last argument. */
export function pager(name: string, page: number, isLast: boolean, labels: string[]): Row[] {
  const [back = '', on = ''] = labels;
  const buttons = [
    ...(page > 1 ? [button(back, `${name}:${page - 1}`)] : []),
    ...(isLast || page === MOST_PAGES ? [] : [button(on, `${name}:${page + 1}`)]),
  ];
  return buttons.length > 0 ? [row(...buttons)] : [];
}

const history: Command = {
  name: 'history',
  description: 'Where your points came from, and where they went',
  shownTo: 'one',
  *answer(asked, texts) {
    return toOne(yield* historyPage(asked, texts, 1));
  },
};

const turnHistory: Action = {
  *answer(asked, texts, page = '') {
    return update(yield* historyPage(asked, texts, pageOf(page)));
  },
};

/** Pages are counted, as a cursor is too long for a button: what comes before is read again. */
function* historyPage(asked: Asked, texts: Texts, page: number): Steps<Message> {
  const member = yield* enrolled(asked.person, asked.once, texts);
  const limit = page * MOVEMENTS + 1;
  const { items } = yield* ask('memberTransactions', { memberID: member.id }, { limit });
  const shown = items.slice((page - 1) * MOVEMENTS, page * MOVEMENTS);
  const lines = yield* movementLines(shown, yield* allKinds(), asked.locale, texts);
  return {
    embeds: [card({ title: texts.history, description: lines.join('\n') || texts.noHistory })],
    components: pager('history', page, items.length < limit, [texts.newer, texts.older]),
  };
}

/** A statement's rows: how many, why, and when. */
export function* movementLines(
  rows: readonly Transaction[],
  kinds: Kinds,
  locale: string,
  texts: Texts,
): Steps<string[]> {
  const others = yield* membersById(rows.flatMap(({ counterpartyId: id }) => id ?? []));
  return rows.map((one) => {
    const unit = kinds.amount(Math.abs(one.tokens), one.realmPointId, locale);
    const why = reasonOf(one, texts, (id) => nameOf(id, others.get(id)));
    return `**${one.tokens < 0 ? '−' : '+'}${unit}** · ${why} · ${timestamp(one.at, 'R')}`;
  });
}

/** Why points moved, and from or to whom. */
function reasonOf(one: Transaction, texts: Texts, name: (id: string) => string): string {
  const { type, tokens, counterpartyId, description, originalDescription } = one;
  const other =
    counterpartyId === null ? [] : [(tokens < 0 ? texts.to : texts.from)(name(counterpartyId))];
  const given = description ?? originalDescription;
  const kind = texts.movements[type] ?? type;
  const words = given === undefined || given === null ? kind : escaped(cut(given, 80));
  const isReversal = type === 'points.reversed' && given;
  return [...(isReversal ? [`${kind}:`] : []), words, ...other].join(' ');
}

const leaderboard: Command = {
  name: 'leaderboard',
  description: 'Who has the most points',
  options: [
    {
      type: 3,
      name: 'window',
      description: 'Points earned in that time; all points by default',
      choices: [
        { name: 'All time', value: 'all' },
        { name: 'This month', value: 'month' },
        { name: 'This week', value: 'week' },
        { name: 'Today', value: 'day' },
      ],
    },
    kindOption,
  ],
  shownTo: 'all',
  complete: completeKinds,
  *answer(asked, texts) {
    const { kinds, kindId } = yield* kindsAnd(asked.options.kind, texts);
    const window = windowOf(String(asked.options.window));
    return toAll(yield* leaderboardPage({ asked, texts, kinds, kindId, window, page: 1 }));
  },
};

type Window = 'all' | 'month' | 'week' | 'day';
const windowOf = (text: string): Window =>
  (['month', 'week', 'day'] as const).find((one) => one === text) ?? 'all';

const turnLeaderboard: Action = {
  *answer(asked, texts, window = '', kind = '', page = '') {
    const { kinds, kindId } = yield* kindsAnd(kind, texts);
    const given = { asked, texts, kinds, kindId, window: windowOf(window), page: pageOf(page) };
    return update(yield* leaderboardPage(given));
  },
};

interface Board {
  asked: Asked;
  texts: Texts;
  kinds: Kinds;
  kindId: string;
  window: Window;
  page: number;
}

function* leaderboardPage({ asked, texts, kinds, kindId, window, page }: Board): Steps<Message> {
  const { locale } = asked;
  const fields = { window, realmPointId: kindId, limit: page * RANKS };
  const { members, total } = yield* ask('getLeaderboard', {}, fields);
  const shown = members.slice((page - 1) * RANKS, page * RANKS);
  const rows = shown.map(({ rank, tokens, id, ...names }) => [
    rank === null ? '' : String(rank),
    inCode(plainNameOf(id, names)),
    number(tokens, locale),
  ]);
  const title = `${texts.leaderboard} · ${texts.windows[window]}`;
  const name = kinds.named(kindId)?.name ?? kindId;
  return {
    embeds: [
      card({
        title,
        description: rows.length > 0 ? table(rows) : texts.nobody,
        footer: { text: `${cut(name, 100)} · ${texts.ranked(number(total, locale))}` },
      }),
    ],
    components: pager(`leaderboard:${window}:${kindId}`, page, page * RANKS >= total, [
      texts.previous,
      texts.next,
    ]),
  };
}

/** What a phone shows of a code block without breaking its lines. */
const COLUMNS = 32;

function table(rows: string[][]): string {
  const widest = (index: number): number => Math.max(...rows.map((row) => row[index]?.length ?? 0));
  const [ranks, amounts] = [widest(0), widest(2)];
  const names = Math.max(6, COLUMNS - ranks - amounts - 4);
  const lines = rows.map(([rank = '', name = '', amount = '']) =>
    [rank.padStart(ranks), column(name, names), amount.padStart(amounts)].join('  '),
  );
  return ['```', ...lines, '```'].join('\n');
}

export const listCommands: Command[] = [history, leaderboard];
export const listActions = { history: turnHistory, leaderboard: turnLeaderboard };
