import { MAX_POINTS } from '../model.ts';
import { decodeRecord, MOVEMENT_TYPES, type RecordOf } from '../records.ts';
import { instantOf } from './clock.ts';
import { countRecord, type DayChanges } from './daily-totals.ts';
import type { JournalRecord } from './journal.ts';
import { earnedBy, hasEnded, leaderboardOf, WINDOWS } from './leaderboards.ts';
import { type Posting, postingsOf } from './postings.ts';
import type { Names } from './search.ts';
import { DAY_MS } from './time.ts';

/**
 * Statements, leaderboards, totals of days and the words of names are projections: tables derived
 * from the journal afterwards.
 */
export type ProjectedRecord = Pick<JournalRecord, (typeof PROJECTED)[number]>;

/** What they are derived from: the personal part has the names. */
export const PROJECTED = ['seq', 'type', 'at', 'data', 'personal', 'personalHash'] as const;

/** How far a realm's journal is projected. */
export interface RealmPosition {
  seq: number;
  /**
   * While members are being enrolled on the leaderboard of a new point kind, the last member
   * enrolled so far; NO_MEMBER if no enrolment is in progress.
   */
  enrolledTo: string;
}

export const NO_MEMBER = '0';

/** A member's row on a leaderboard. */
export interface ProjectedStanding {
  score: number;
  /** When its points last moved; null if they never have, and in a day, a week or a month. */
  movedAt: number | null;
}

/** What happens to a member's standing on a leaderboard. */
export type ScoreChange =
  | { set: number; movedAt: number }
  | { add: number }
  | { enrol: true }
  | { remove: true };

/** By leaderboard and member, each in the order of the journal. */
export type ScoreChanges = Map<string, Map<string, ScoreChange[]>>;

/** What records change in rows that exist already, added up. */
export interface ProjectionSums {
  scores: ScoreChanges;
  days: DayChanges;
}

export const noSums = (): ProjectionSums => ({ scores: new Map(), days: new Map() });

export interface ProjectionChanges {
  /** One for each side of a movement of points. */
  entries: Posting[];
  movements: Pick<Posting, 'seq' | 'type' | 'realmPointId'>[];
  /** The names that changed, by member. */
  names: Map<string, Partial<Names>>;
}

/** What to project next: records, or a new point kind, on whose leaderboard every member starts. */
type ProjectionStep =
  | { records: ProjectedRecord[]; position: RealmPosition; cost: number }
  | NewKindStep;

interface NewKindStep {
  newKind: string;
  record: ProjectedRecord;
}

const PROJECTED_TYPES = [
  ...MOVEMENT_TYPES,
  'points.held',
  'points.released',
  'member.created',
  'member.removed',
  'member.updated',
] as const;

/**
 * Leaderboards are deleted this long after their window ends; older records do not recreate them.
 */
export const LEADERBOARD_RETENTION_MS = DAY_MS;

/**
 * A realm this many records behind is far behind. Projecting many records at once costs a third of
 * projecting them one by one, since a member who moved often is written once; and a reader who
 * arrives first projects this many in a tenth of a second or two.
 */
export const FAR_BEHIND = 5_000;

/**
 * The next step, given the records after the realm's position, of which it reads no more than it
 * takes. A new point kind is a step of its own, because it enrols all members of the realm, a page
 * at a time.
 */
export function nextStep(
  records: Iterable<ProjectedRecord>,
  limit: number,
  kinds: () => readonly string[],
): ProjectionStep | null {
  const taken: ProjectedRecord[] = [];
  let allKinds: number | null = null;
  let cost = 0;
  for (const record of records) {
    const newKind = decodeRecord(record, ['point.created']);
    if (newKind && taken.length === 0) return { newKind: newKind.data.id, record };
    const boards = BOARDS_OF_EACH_KIND[record.type] ?? 0;
    if (boards > 0) allKinds ??= kinds().length;
    const next = Math.max(1, boards * (allKinds ?? 0)) + costOfNames(record);
    if (newKind || (taken.length > 0 && cost + next > limit)) break;
    taken.push(record);
    cost += next;
  }
  const last = taken.at(-1);
  return last ? { records: taken, position: { seq: last.seq, enrolledTo: NO_MEMBER }, cost } : null;
}

/** Characters of names that take as long to index as a member takes to join a leaderboard. */
const CHARACTERS_PER_BOARD = 48;

/** Most names are short, and cost nothing. */
function costOfNames(record: ProjectedRecord): number {
  const named = decodeRecord(record, ['member.created', 'member.updated']);
  const { username, displayName } = named?.data ?? {};
  return Math.floor(((username?.length ?? 0) + (displayName?.length ?? 0)) / CHARACTERS_PER_BOARD);
}

/** How many leaderboards of each kind a member joins or leaves. */
const BOARDS_OF_EACH_KIND: Record<string, number> = {
  'member.created': 1,
  'member.removed': 1 + WINDOWS.length,
};

/** Enrols a page of members on the leaderboard of a new point kind. */
export function enrolMembers(
  { newKind, record }: NewKindStep,
  memberIds: readonly string[],
  limit: number,
): { sums: ProjectionSums; position: RealmPosition } {
  const { seq } = record;
  const sums = noSums();
  const members = memberIds.map((id): [string, ScoreChange[]] => [id, [{ enrol: true }]]);
  const last = memberIds.length < limit ? undefined : memberIds.at(-1);
  const position = last ? { seq: seq - 1, enrolledTo: last } : { seq, enrolledTo: NO_MEMBER };
  sums.scores.set(newKind, new Map(members));
  // The record counts once, with the last page.
  if (!last) countRecord(sums.days, instantOf(record.at, occurrenceIn(record)), null);
  return { sums, position };
}

/**
 * What records, in order, add to the projections of their realm. Changes of sums are added to
 * `sums`. `now` is the current instant, or an earlier one that no later record precedes; the
 * realm's point kinds are read only if a member joins or leaves.
 */
export function projectRecords(
  records: readonly ProjectedRecord[],
  kinds: () => readonly string[],
  now: number,
  { scores, days }: ProjectionSums,
): ProjectionChanges {
  const changes: ProjectionChanges = { entries: [], movements: [], names: new Map() };
  const windowsOf = windowLeaderboards(now);
  let allKinds: readonly string[] | null = null;
  for (const record of records) {
    const decoded = decodeRecord(record, PROJECTED_TYPES);
    const at = instantOf(record.at, decoded?.data ?? occurrenceIn(record));
    const isOfMember = decoded !== null && isMemberRecord(decoded);
    countRecord(days, at, isOfMember ? null : decoded);
    if (decoded === null || isHoldRecord(decoded)) continue;
    if (isMemberRecord(decoded)) {
      addNames(changes.names, decoded);
      if (decoded.type === 'member.updated') continue;
      allKinds ??= kinds();
      const isNew = decoded.type === 'member.created';
      // Members start on the all-time leaderboards, whether or not they have points.
      const leaderboards = isNew
        ? allKinds
        : allKinds.flatMap((kind) => [kind, ...windowsOf(kind, at)]);
      const change: ScoreChange = isNew ? { enrol: true } : { remove: true };
      for (const name of leaderboards) addChange(scores, name, decoded.data.memberId, change);
      continue;
    }
    const { seq, type, data } = decoded;
    changes.movements.push({ seq, type, realmPointId: data.realmPointId });
    for (const posting of postingsOf(decoded)) {
      const { memberId, realmPointId, balance } = posting;
      changes.entries.push(posting);
      addChange(scores, realmPointId, memberId, { set: balance, movedAt: at });
      const earned = earnedBy(decoded, posting.tokens);
      if (earned === 0) continue;
      for (const name of windowsOf(realmPointId, at)) {
        addChange(scores, name, memberId, { add: earned });
      }
    }
  }
  return changes;
}

type MemberRecord = RecordOf<'member.created' | 'member.updated' | 'member.removed'>;

const isMemberRecord = (record: RecordOf): record is MemberRecord =>
  record.type.startsWith('member.');

const isHoldRecord = (record: RecordOf): record is RecordOf<'points.held' | 'points.released'> =>
  record.type === 'points.held' || record.type === 'points.released';

/** The true instant of a record that is not decoded, if it has one. */
const occurrenceIn = ({ data }: ProjectedRecord): { occurredAt?: string } =>
  data.includes('"occurredAt":') ? JSON.parse(data) : {};

/** A member that is enrolled has no names yet, even if it was removed before. */
function addNames(names: ProjectionChanges['names'], { type, data }: MemberRecord): void {
  const { username, displayName }: Partial<Names> =
    type === 'member.removed' ? { username: null, displayName: null } : data;
  if (username === undefined && displayName === undefined) return;
  const changed = names.getOrInsertComputed(data.memberId, () => ({}));
  if (username !== undefined) changed.username = username;
  if (displayName !== undefined) changed.displayName = displayName;
}

function addChange(
  scores: ScoreChanges,
  leaderboard: string,
  memberId: string,
  change: ScoreChange,
): void {
  const members = scores.getOrInsertComputed(leaderboard, () => new Map());
  members.getOrInsertComputed(memberId, () => []).push(change);
}

/** Names are costly to format, and records of the same day share them. */
function windowLeaderboards(now: number): (realmPointId: string, at: number) => string[] {
  const cache = new Map<string, string[]>();
  return (realmPointId, at) => {
    const key = `${Math.floor(at / DAY_MS)} ${realmPointId}`;
    return cache.getOrInsertComputed(key, () =>
      WINDOWS.map((window) => leaderboardOf(realmPointId, window, at)).filter(
        (leaderboard) => !hasEnded(leaderboard, now - LEADERBOARD_RETENTION_MS),
      ),
    );
  };
}

/** Points earned are unbounded, since they can be spent and earned again; a stored score is not. */
const clamp = (score: number): number => Math.max(-MAX_POINTS, Math.min(MAX_POINTS, score));

function applyChange(
  standing: ProjectedStanding | null,
  change: ScoreChange,
): ProjectedStanding | null {
  if ('set' in change) return { score: change.set, movedAt: change.movedAt };
  const score = standing?.score ?? 0;
  if ('add' in change) return { score: clamp(score + change.add), movedAt: null };
  return 'enrol' in change ? (standing ?? { score, movedAt: null }) : null;
}

/** A member's standing after the changes; null means not on the leaderboard. */
export const applyScoreChanges = (
  standing: ProjectedStanding | null,
  changes: readonly ScoreChange[],
): ProjectedStanding | null => changes.reduce(applyChange, standing);

export const isSameStanding = (a: ProjectedStanding | null, b: ProjectedStanding | null): boolean =>
  a?.score === b?.score && a?.movedAt === b?.movedAt;
