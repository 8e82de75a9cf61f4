import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_PERSONAL_PART } from '../../src/domain/personal.ts';
import {
  applyScoreChanges,
  enrolMembers,
  NO_MEMBER,
  nextStep,
  noSums,
  type ProjectedRecord,
  projectRecords,
} from '../../src/domain/rules/projections.ts';

const NOON = Date.UTC(2026, 10, 18, 12);
const DAY_MS = 86_400_000;

const record = (seq: number, type: string, data: object, at = NOON): ProjectedRecord => ({
  seq,
  type,
  at,
  data: JSON.stringify(data),
  ...NO_PERSONAL_PART,
});
const added = (seq: number, newBalance: number, at = NOON) =>
  record(seq, 'points.added', { memberId: '1', tokens: 5, realmPointId: 'points', newBalance }, at);

const kinds = () => ['points', 'gems'];

test('a new point kind is a step of its own', () => {
  const gems = record(3, 'point.created', { id: 'gems' });
  assert.equal(nextStep([], 10, kinds), null);
  const before = nextStep([added(1, 5), added(2, 10), gems, added(4, 15)], 10, kinds);
  assert.ok(before && 'records' in before);
  assert.deepEqual(before.position, { seq: 2, enrolledTo: NO_MEMBER });
  assert.equal(before.records.length, 2);
  assert.deepEqual(nextStep([gems, added(4, 15)], 10, kinds), {
    newKind: 'gems',
    record: gems,
  });
});

test('who joins or leaves is as much work as there are kinds', () => {
  const ofMember = (seq: number, type = 'member.created') => record(seq, type, { memberId: '1' });
  const records = [ofMember(1), added(2, 5), ofMember(3, 'member.removed'), added(4, 10)];
  const stepOf = (limit: number) => {
    const step = nextStep(records, limit, kinds);
    assert.ok(step && 'records' in step);
    return [step.records.length, step.position.seq];
  };
  assert.deepEqual(stepOf(1), [1, 1], 'one record in any case');
  assert.deepEqual(stepOf(10), [2, 2]);
  assert.deepEqual(stepOf(11), [3, 3]);
  assert.deepEqual(stepOf(12), [4, 4]);
});

test('long names are more work', () => {
  const named = (seq: number, displayName: string) =>
    record(seq, 'member.created', { memberId: String(seq), displayName });
  const taken = (name: string) => {
    const step = nextStep(
      [1, 2, 3, 4].map((seq) => named(seq, name)),
      8,
      kinds,
    );
    assert.ok(step && 'records' in step);
    return step.records.length;
  };
  assert.equal(taken('Alice'), 4);
  assert.equal(taken('x'.repeat(128)), 2);
});

test('members are enrolled on a new leaderboard page by page', () => {
  const step = { newKind: 'gems', record: record(3, 'point.created', {}) };
  const page = enrolMembers(step, ['1', '2'], 2);
  assert.deepEqual(page.position, { seq: 2, enrolledTo: '2' });
  assert.deepEqual([...(page.sums.scores.get('gems')?.keys() ?? [])], ['1', '2']);
  const last = enrolMembers(step, ['3'], 2);
  assert.deepEqual(last.position, { seq: 3, enrolledTo: NO_MEMBER });
  assert.deepEqual([page.sums.days.size, last.sums.days.size], [0, 2]);
});

test('score changes accumulate over slices; old windows are not started', () => {
  const sums = noSums();
  const { scores } = sums;
  const slices = [
    [record(1, 'member.created', { memberId: '1' }), added(2, 5, NOON - 3 * DAY_MS)],
    [added(3, 10), record(4, 'member.updated', { memberId: '1' })],
  ];
  const [first, second] = slices.map((slice) => projectRecords(slice, kinds, NOON, sums));
  assert.deepEqual([first?.entries.length, second?.movements.length], [1, 1]);
  const standingOn = (name: string) => applyScoreChanges(null, scores.get(name)?.get('1') ?? []);
  const found = Array.from(scores.keys(), (name) => [name, standingOn(name)]);
  assert.deepEqual(Object.fromEntries(found), {
    points: { score: 10, movedAt: NOON },
    gems: { score: 0, movedAt: null },
    'points@day:2026-11-18': { score: 5, movedAt: null },
    'points@month:2026-11-01': { score: 10, movedAt: null },
    'points@week:2026-11-16': { score: 5, movedAt: null },
  });
  projectRecords([record(5, 'member.removed', { memberId: '1' })], kinds, NOON, sums);
  for (const name of scores.keys()) assert.equal(standingOn(name), null, name);
});

test('points move at the true instant, and a new enrolment forgets it', () => {
  const sums = noSums();
  const { scores } = sums;
  const occurredAt = new Date(NOON - 60_000).toISOString();
  const data = { memberId: '1', tokens: 5, realmPointId: 'points', newBalance: 5, occurredAt };
  const project = (...records: ProjectedRecord[]) => {
    projectRecords(records, () => ['points'], NOON, sums);
    return applyScoreChanges(null, scores.get('points')?.get('1') ?? []);
  };
  assert.equal(project(record(2, 'points.added', data))?.movedAt, NOON - 60_000);
  const again = ['removed', 'created'].map((what, index) =>
    record(3 + index, `member.${what}`, { memberId: '1' }),
  );
  assert.deepEqual(project(...again), { score: 0, movedAt: null });
});
