import type { Figure } from './format.ts';
import { amountOf } from './sentence.ts';
import { visibleText } from './visible.ts';

/** What a leaderboard of earned points has of a member. */
interface Standing {
  id: string;
  rank: number | null;
  earned: Figure | null;
}

/** The rows of a leaderboard that are known, from the first one on. */
interface Board {
  rows: readonly Standing[];
  /** Whether there are more below them. */
  hasMore: boolean;
}

/**
 * By how many places members have moved since today began, on the board of a longer time; null for
 * who was not on it. It follows from that board and today's: what one had is what one has, less
 * what came today. Members below the known rows may have been above some of them; whose place
 * depends on those is left out.
 */
export function rankMoves(board: Board, today: Board): Map<string, number | null> {
  if (today.hasMore) return new Map();
  const earnedToday = new Map(today.rows.map(({ id, earned }) => [id, exact(earned)]));
  const before = board.rows.map((row) => ({
    ...row,
    had: exact(row.earned) - (earnedToday.get(row.id) ?? 0n),
  }));
  if (before.every(({ had }) => had === 0n)) return new Map();
  const known = new Set(board.rows.map(({ id }) => id));
  const lost = today.rows.filter(({ id }) => !known.has(id)).map(({ earned }) => -exact(earned));
  const mostLost = lost.reduce((most, one) => (one > most ? one : most), 0n);
  // As much as anybody below can have had.
  const unsure = exact(board.rows.at(-1)?.earned) + mostLost;
  return new Map(
    before
      .filter(({ had }) => had === 0n || had >= unsure || !board.hasMore)
      .map(({ id, had, rank }) => {
        const was = 1 + before.filter((other) => other.had > had).length;
        return [id, had === 0n ? null : was - (rank ?? was)];
      }),
  );
}

/** The same since another board that is over, where what members had then says nothing of now. */
export function movesSince(
  { rows }: Pick<Board, 'rows'>,
  before: Board,
): ReturnType<typeof rankMoves> {
  const ranks = new Map(before.rows.map(({ id, rank }) => [id, rank]));
  if (ranks.size === 0) return new Map();
  return new Map(
    rows
      .filter(({ id }) => ranks.has(id) || !before.hasMore)
      .map(({ id, rank }) => {
        const was = ranks.get(id) ?? null;
        return [id, was === null ? null : was - (rank ?? was)];
      }),
  );
}

const exact = (earned: Figure | null = 0): bigint => BigInt(earned ?? 0);

const MEDALS = ['🥇', '🥈', '🥉'];
const MARKDOWN = /[\\*_~|`>#<[\]()]/g;

/** A name that a Discord message neither formats nor notifies anybody of. */
const plain = (name: string): string =>
  visibleText(name).replace(MARKDOWN, '\\$&').replaceAll('@', '@\u200b');

interface Told {
  title: string;
  rows: readonly { rank: number | null; name: string; tokens: Figure }[];
  kind: { name: string; symbol: string | null };
  /** In milliseconds since 1970; the reader's own time is shown for it. Null if it is over. */
  at: number | null;
}

/** A leaderboard as a message for Discord: a heading, the members, and when it was so. */
export function standingsForDiscord({ title, rows, kind, at }: Told): string {
  const lines = rows.map(({ rank, name, tokens }) => {
    const place = MEDALS[(rank ?? 0) - 1] ?? `\`${String(rank).padStart(2)}\``;
    const who = (rank ?? 0) <= MEDALS.length ? `**${plain(name)}**` : plain(name);
    return `${place} ${who} · ${plain(amountOf(tokens, kind))}`;
  });
  const end = at === null ? 'Final' : `As of <t:${Math.floor(at / 1_000)}:f>`;
  return [`### 🏆 ${plain(title)}`, ...lines, `-# ${end}`].join('\n');
}
