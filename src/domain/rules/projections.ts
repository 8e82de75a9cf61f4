import { MAX_POINTS } from '../model.ts';
import { decodeRecord, isMovement } from '../records.ts';
import type { JournalRecord } from './journal.ts';
import { earnedBy, leaderboardEnd, leaderboardOf, WINDOWS } from './leaderboards.ts';
import { MOVING_TYPES, type Posting, postingsOf } from './postings.ts';
import { DAY_MS } from './time.ts';

/** What statements and boards are read from follows from the journal. */
export type ProjectedRecord = Pick<JournalRecord, 'seq' | 'type' | 'at' | 'data'>;

export interface Movement {
  seq: number;
  type: string;
  realmPointId: string;
}

/** What happens to one member's score on one board. */
export type Step = { set: number } | { add: number } | { enter: true } | { leave: true };

/** The steps of each member of each board, in order. */
export type BoardSteps = Map<string, Map<string, Step[]>>;

export interface ProjectionChanges {
  /** One for each side of a movement of points. */
  entries: Posting[];
  movements: Movement[];
  boards: BoardSteps;
}

const PROJECTED_TYPES = [...MOVING_TYPES, 'member.created', 'member.removed'] as const;

/** A board is dropped this long after its window ended; one that old is not begun any more. */
export const LEADERBOARD_KEPT_MS = DAY_MS;

/**
 * A realm this many records behind is far behind. Many records at once cost a third of one by one,
 * since members that moved often are written once; and a reader who comes first follows the rest of
 * so few in a tenth of a second or two.
 */
export const FAR_BEHIND = 5_000;

/**
 * What records, in order, add to the projections of their realm; `now` is its last record's time.
 * Its kinds of points are asked for only where somebody comes or goes. Who goes on with the records
 * of a step gives the boards of those before.
 */
export function projectionChanges(
  records: readonly ProjectedRecord[],
  kindsNow: () => readonly string[],
  now: number,
  boards: BoardSteps = new Map(),
): ProjectionChanges {
  const changes: ProjectionChanges = { entries: [], movements: [], boards };
  const windowBoards = rememberingBoards(now);
  let kinds: readonly string[] | null = null;
  for (const record of records) {
    const { at } = record;
    const decoded = decodeRecord(record, PROJECTED_TYPES);
    if (!decoded) continue;
    if (!isMovement(decoded)) {
      const { type, data } = decoded;
      kinds ??= kindsNow();
      comeOrGo(changes.boards, type, data.memberId, kinds, (kind) => windowBoards(kind, at));
      continue;
    }
    const { seq, type, data } = decoded;
    changes.movements.push({ seq, type, realmPointId: data.realmPointId });
    for (const posting of postingsOf(decoded)) {
      const { memberId, realmPointId, balance } = posting;
      changes.entries.push(posting);
      step(changes.boards, realmPointId, memberId, { set: balance });
      const earned = earnedBy(decoded, posting.tokens);
      if (earned === 0) continue;
      for (const board of windowBoards(realmPointId, at)) {
        step(changes.boards, board, memberId, { add: earned });
      }
    }
  }
  return changes;
}

/** Everybody is on the boards of all time, from the first day to the last. */
function comeOrGo(
  boards: BoardSteps,
  type: 'member.created' | 'member.removed',
  memberId: string,
  kinds: readonly string[],
  windowBoards: (kind: string) => string[],
): void {
  for (const kind of kinds) {
    if (type === 'member.created') {
      step(boards, kind, memberId, { enter: true });
    } else {
      for (const board of [kind, ...windowBoards(kind)]) {
        step(boards, board, memberId, { leave: true });
      }
    }
  }
}

function step(boards: BoardSteps, board: string, memberId: string, what: Step): void {
  const members = boards.get(board) ?? new Map<string, Step[]>();
  if (members.size === 0) boards.set(board, members);
  const steps = members.get(memberId);
  if (steps) steps.push(what);
  else members.set(memberId, [what]);
}

/** Names of boards are costly to make, and records of one day share them. */
function rememberingBoards(now: number): (realmPointId: string, at: number) => string[] {
  const known = new Map<string, string[]>();
  return (realmPointId, at) => {
    const key = `${Math.floor(at / DAY_MS)} ${realmPointId}`;
    let boards = known.get(key);
    if (!boards) {
      boards = WINDOWS.map((window) => leaderboardOf(realmPointId, window, at)).filter(
        (board) => (leaderboardEnd(board) ?? now) > now - LEADERBOARD_KEPT_MS,
      );
      known.set(key, boards);
    }
    return boards;
  };
}

/** What was earned has no bound, since it may be spent and earned again; a number has one. */
const within = (score: number): number => Math.max(-MAX_POINTS, Math.min(MAX_POINTS, score));

/** The score after a step; null is no score. */
export function takeStep(score: number | null, what: Step): number | null {
  if ('set' in what) return what.set;
  if ('add' in what) return within((score ?? 0) + what.add);
  return 'enter' in what ? (score ?? 0) : null;
}
