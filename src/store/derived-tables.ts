import type { BucketCount, MovementReference, PastScore, Scores } from '../domain/facts.ts';
import type { Posting } from '../domain/movements.ts';
import type { ActiveMembers, DailyTotals } from '../domain/rules/daily-totals.ts';
import type { IndexedWord, SearchKey } from '../domain/rules/search.ts';
import { id, integer, nullable, realmTable, sum, text } from './table.ts';

/** The tables of realms all rows of which follow from the journal, and are written with it. */
export const derived = {
  entries: realmTable<Omit<Posting, 'tokens'>>('entries', ['member_id', 'realm_point_id', 'seq'], {
    memberId: id('member_id'),
    realmPointId: text('realm_point_id'),
    seq: integer('seq'),
    type: text('type'),
    balance: integer('balance'),
  }),
  movements: realmTable<Pick<Posting, 'realmPointId' | 'type' | 'seq'>>(
    'movements',
    ['realm_point_id', 'type', 'seq'],
    { realmPointId: text('realm_point_id'), type: text('type'), seq: integer('seq') },
  ),
  references: realmTable<MovementReference>(
    'movement_references',
    ['reference', 'member_id', 'seq'],
    { reference: text('reference'), memberId: id('member_id'), seq: integer('seq') },
  ),
  scores: realmTable<Scores>('scores', ['member_id', 'realm_point_id'], {
    memberId: id('member_id'),
    realmPointId: text('realm_point_id'),
    day: integer('day'),
    dayScore: sum('day_score'),
    week: integer('week'),
    weekScore: sum('week_score'),
    month: integer('month'),
    monthScore: sum('month_score'),
  }),
  pastScores: realmTable<PastScore>('past_scores', ['seq', 'member_id', 'leaderboard'], {
    seq: integer('seq'),
    memberId: id('member_id'),
    leaderboard: text('leaderboard'),
    score: sum('score'),
  }),
  buckets: realmTable<BucketCount>('rank_buckets', ['leaderboard', 'width', 'bucket'], {
    leaderboard: text('leaderboard'),
    width: integer('width'),
    bucket: integer('bucket'),
    count: integer('count'),
    endsAt: nullable(integer('ends_at')),
  }),
  days: realmTable<DailyTotals>('daily_totals', ['day', 'realm_point_id'], {
    day: integer('day'),
    realmPointId: text('realm_point_id'),
    records: integer('records'),
    members: integer('member_count'),
    issued: text('issued'),
    spent: text('spent'),
    opened: text('opened'),
    held: text('held'),
  }),
  activeMembers: realmTable<ActiveMembers>('active_members', ['day', 'previous'], {
    day: integer('day'),
    previous: integer('previous'),
    members: integer('member_count'),
  }),
  words: realmTable<SearchKey & IndexedWord>('member_words', ['word', 'member_id'], {
    word: text('word'),
    memberId: id('member_id'),
    others: text('others'),
  }),
};
