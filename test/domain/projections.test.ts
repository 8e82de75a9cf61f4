import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Command } from '../../src/domain/commands.ts';
import type { Change, RealmChanges, RealmFacts, Scores } from '../../src/domain/facts.ts';
import { FIRST_KIND } from '../../src/domain/model.ts';
import type { RecordOf } from '../../src/domain/records.ts';
import { dayOf, INACTIVE, withLevels } from '../../src/domain/rules/daily-totals.ts';
import { decide } from '../../src/domain/rules/decide.ts';
import type { JournalRecord } from '../../src/domain/rules/journal.ts';
import {
  bucketKey,
  hasEnded,
  LEADERBOARD_RETENTION_MS,
} from '../../src/domain/rules/leaderboards.ts';
import { needsOf } from '../../src/domain/rules/needs.ts';
import { Projector } from '../../src/domain/rules/projections.ts';
import { fixedSalts } from '../support/salts.ts';
import { runs, storeForFile } from '../support/stores.ts';
import { type Batch, command, history, setUp } from './histories.ts';
import { Recount } from './recount.ts';

const NOON = Date.UTC(2026, 10, 18, 12);
const DAY_MS = 86_400_000;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The rows that batches have written, all of them together. */
class Written {
  readonly realmId: string;
  readonly records: JournalRecord[] = [];
  now = NOON;
  readonly entries: string[] = [];
  readonly movements: string[] = [];
  readonly references: string[] = [];
  readonly balances: Record<string, object> = {};
  readonly scores: Record<string, string> = {};
  readonly buckets: Record<string, number> = {};
  readonly words: Record<string, string> = {};
  readonly pastScores: string[] = [];
  readonly activeMembers: Record<string, number> = {};
  readonly #days = new Map<string, bigint[]>();

  constructor(realmId: string) {
    this.realmId = realmId;
  }

  add(changes: RealmChanges): void {
    this.records.push(...changes.records);
    for (const { seq, type, memberId, realmPointId, tokens, balance } of changes.entries) {
      this.entries.push([seq, type, memberId, realmPointId, tokens, balance].join(' '));
    }
    for (const { seq, type, realmPointId } of changes.movements) {
      this.movements.push([seq, type, realmPointId].join(' '));
    }
    for (const { reference, memberId, seq } of changes.references) {
      this.references.push([reference, memberId, seq].join(' '));
    }
    for (const { leaderboard, memberId, seq, score } of changes.pastScores) {
      this.pastScores.push([leaderboard, memberId, seq, score].join(' '));
    }
    put(this.balances, changes.balances, ({ balance, movedAt, activeDay }) => {
      return { balance, movedAt, activeDay };
    });
    put(this.scores, changes.scores, (row) =>
      (['day', 'week', 'month'] as const)
        .flatMap((name) => [dateOf(row[name]), row[`${name}Score`]])
        .join(' '),
    );
    put(this.words, changes.words, ({ others }) => others);
    for (const row of changes.buckets) {
      const key = bucketKey(row);
      this.buckets[key] = (this.buckets[key] ?? 0) + row.count;
      if (this.buckets[key] === 0) delete this.buckets[key];
    }
    for (const { day, realmPointId, ...row } of changes.days) {
      const key = `${day} ${realmPointId}`;
      const sums = this.#days.get(key) ?? [0n, 0n, 0n, 0n, 0n, 0n];
      const more = [row.records, row.members, row.issued, row.spent, row.opened, row.held];
      this.#days.set(
        key,
        sums.map((sum, at) => sum + BigInt(more[at] ?? 0)),
      );
    }
    for (const { day, previous, members } of changes.activeMembers) {
      const key = `${day} ${previous}`;
      this.activeMembers[key] = (this.activeMembers[key] ?? 0) + members;
    }
  }

  get days(): Record<string, string> {
    return Object.fromEntries(Array.from(this.#days, ([key, sums]) => [key, sums.join(' ')]));
  }
}

function put<Row, Shown>(
  rows: Record<string, Shown>,
  changes: readonly Change<Row>[],
  show: (row: Row) => Shown,
): void {
  for (const { key, row } of changes) {
    if (row === null) delete rows[key];
    else rows[key] = show(row);
  }
}

const store = await storeForFile();
let realms = 0;

/** Runs a history by the facts of a real store, one transaction for each batch. */
async function run(batches: Batch[], unit: number): Promise<Written> {
  realms += 1;
  const realmId = `realm-${realms}`;
  const written = new Written(realmId);
  let now = NOON;
  for (const { seconds, commands: anywhere } of [{ seconds: 0, commands: setUp }, ...batches]) {
    now += seconds * unit;
    const commands = anywhere.map((one) => ({ ...one, realmId }));
    const batch = {
      needs: needsOf(commands),
      clock: () => now,
      decide: (facts: RealmFacts[]) => decide(facts, commands, now, fixedSalts),
    };
    const { changes } = await store.writer.write(batch).done;
    for (const one of changes) written.add(one);
  }
  written.now = now;
  return written;
}

/** A member that earns again leaves the buckets of its last day, unless they may be deleted. */
const ofOpen = (buckets: Record<string, number>, now: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(buckets).filter(
      ([key]) => !hasEnded(key.split(' ')[0] ?? '', now - LEADERBOARD_RETENTION_MS),
    ),
  );

/** A kind of points that not everybody has from the start. */
const newKind: Command = command('kind.create', {
  kind: { ...FIRST_KIND, id: 'stars', isDefault: false },
});

const enrol = (memberId: string): Command =>
  command('member.create', { memberId, fields: { username: 'Ann' }, wallets: [] });

/** A member that leaves and comes back, perhaps in the batch in which it came. */
const comeback = fc
  .constantFrom('1', '2')
  .map((memberId): Command[] => [
    command('member.remove', { memberId, forfeit: true }),
    enrol(memberId),
  ]);

const batches = fc
  .record({ history, comeback, at: fc.nat(11), place: fc.nat(9), kindAt: fc.nat(11) })
  .map(({ history: all, comeback: leaving, at, place, kindAt }): Batch[] =>
    all.map(({ seconds, commands }, index) => {
      const own = index === at ? commands.toSpliced(place, 0, ...leaving) : commands;
      return { seconds, commands: index === kindAt ? [...own, newKind] : own };
    }),
  );

/** Who was there before a new kind gets its balance of it later. */
const withoutNew = (balances: Record<string, object>) =>
  Object.fromEntries(Object.entries(balances).filter(([key]) => !key.endsWith(':stars')));

test('what batches derive is what the whole journal adds up to', async () => {
  // Seconds, in which holds expire, or hours forth and, now and then, back.
  const unit = fc.constantFrom(1_000, 7 * 3_600_000, -3_600_000);
  await fc.assert(
    fc.asyncProperty(batches, unit, async (all, ms) => {
      const written = await run(all, ms);
      const expected = new Recount(written.records);
      assert.deepEqual(written.entries, expected.entries);
      assert.deepEqual(written.movements, expected.movements);
      assert.deepEqual(written.references, expected.references);
      assert.deepEqual(withoutNew(written.balances), withoutNew(expected.balances));
      assert.deepEqual(written.scores, expected.scores);
      assert.deepEqual(ofOpen(written.buckets, written.now), ofOpen(expected.buckets, written.now));
      assert.deepEqual(written.days, expected.days);
      assert.deepEqual(written.pastScores.toSorted(), expected.pastScores.toSorted());
      assert.deepEqual(written.activeMembers, expected.activeMembers);
      assert.deepEqual(written.words, expected.words);
    }),
    { numRuns: runs(300) },
  );
});

/** What the store has added up by day, as it is answered. */
async function daysIn({ realmId, now }: Written, from: number, to: number) {
  const { reader } = store;
  const today = dayOf(now);
  const { members = 0, circulation } = (await reader.realmTotals({ realmId })) ?? {};
  const rows = await reader.dailyTotals({ realmId, from, to: today });
  const active = await reader.activeDays({ realmId, from, to });
  const end = { members, circulation: BigInt(circulation?.points ?? 0) };
  const all = withLevels(rows, 'points', { from, to }, end);
  return all.map(({ day, members: count, circulation: sum, ...sums }) => {
    const own = active.find((one) => one.day === day) ?? { day, ...INACTIVE };
    return { ...own, members: count, circulation: sum, issued: sums.issued, spent: sums.spent };
  });
}

/** Everybody and everything counted one by one, each day from the beginning of the journal. */
function countedDays({ records }: Written, from: number, to: number) {
  const lives = [...new Recount(records).lives];
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const day = from + index;
    const monday = day - ((new Date(day * DAY_MS).getUTCDay() + 6) % 7);
    const active = lives.filter((days) => days.includes(day));
    const notSince = (first: number) =>
      active.filter((days) => !days.some((one) => one >= first && one < day));
    const isNew = (days: number[]): boolean => days[0] === day;
    const { balances, days } = new Recount(records.filter(({ at }) => dayOf(at) <= day));
    const ofPoints = Object.entries(balances).filter(([key]) => key.endsWith(':points'));
    const sums = (days[`${day} points`] ?? '').split(' ');
    return {
      day,
      activeMembers: active.length,
      ofPeriod: notSince(from).length,
      newMembers: active.filter(isNew).length,
      returningMembers: notSince(monday).filter((one) => !isNew(one)).length,
      members: new Set(Object.keys(balances).map((key) => key.split(':')[0])).size,
      circulation: ofPoints.reduce((sum, [, row]) => sum + BigInt(balanceIn(row)), 0n),
      issued: sums[2] ?? '0',
      spent: sums[3] ?? '0',
    };
  });
}

const balanceIn = (row: object): number => (row as { balance: number }).balance;

const someone = fc.constantFrom('1', '2', '3');
const deed = fc.oneof(
  fc
    .record({ memberId: someone, tokens: fc.constantFrom(5, 5, -3) })
    .map((change) => [
      command('points.change', { ...change, realmPointId: null, description: null }),
    ]),
  fc
    .record({ memberId: someone, recipientId: someone })
    .map((both) => [
      command('points.transfer', { ...both, tokens: 2, realmPointId: null, description: null }),
    ]),
  comeback,
);

/** Some weeks in which few members do something now and then, one thing at a time. */
const weeks = fc
  .array(fc.record({ pause: fc.integer({ min: 0, max: 5 }), deed }), { minLength: 20 })
  .map((deeds): Batch[] => [
    { seconds: 0, commands: ['1', '2', '3'].map(enrol) },
    ...deeds.map(({ pause, deed: commands }) => ({ seconds: pause * 86_400, commands })),
  ]);

test('days say what one counts in the journal, also those of an earlier period', async () => {
  const span = fc.record({ days: fc.integer({ min: 1, max: 30 }), ago: fc.nat(12) });
  let active = 0;
  await fc.assert(
    fc.asyncProperty(weeks, span, async (all, { days, ago }) => {
      const written = await run(all, 1_000);
      const to = dayOf(written.now) - ago;
      const found = await daysIn(written, to - days + 1, to);
      assert.deepEqual(found, countedDays(written, to - days + 1, to));
      active += found.filter(({ returningMembers }) => returningMembers > 0).length;
    }),
    { numRuns: runs(200) },
  );
  assert.ok(active > 0, 'members came back');
});

test('the last day, week and month count, and who leaves is on no leaderboard', () => {
  const added = (seq: number, at: number) => {
    const data = { memberId: '1', tokens: 5, realmPointId: 'points', newBalance: 5 * seq };
    const record: RecordOf = { seq, type: 'points.added', data };
    return { record, at };
  };
  const projector = new Projector([], []);
  projector.add(added(1, NOON - 3 * DAY_MS));
  projector.add(added(2, NOON));
  assert.deepEqual(projector.scores.past, [
    { leaderboard: 'points@past-week:2026-11-09', seq: 2, memberId: '1', score: 5 },
  ]);
  const { scores, moves } = projector.scores.changes();
  const [row] = scores.map((one) => one.row as Scores);
  assert.deepEqual([row?.dayScore, row?.weekScore, row?.monthScore], [5, 5, 10]);
  assert.deepEqual(moves, [
    { leaderboard: 'points@day:2026-11-18', before: null, after: 5 },
    { leaderboard: 'points@week:2026-11-16', before: null, after: 5 },
    { leaderboard: 'points@month:2026-11-01', before: null, after: 10 },
  ]);
  projector.add({ record: { seq: 3, type: 'member.removed', data: { memberId: '1' } }, at: NOON });
  assert.deepEqual(projector.scores.changes(), { scores: [], moves: [] });
});
