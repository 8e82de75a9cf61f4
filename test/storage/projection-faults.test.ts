import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Command, CommandName, CommandOf } from '../../src/domain/commands.ts';
import { FIRST_KIND } from '../../src/domain/model.ts';
import type { Fault } from '../../src/domain/rules/comparison.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { verdictOf } from '../support/verdict.ts';
import { written } from './written-realm.ts';

/** `verify` compares statements, leaderboards and tables with the journal. */
const commandOf = <N extends CommandName>(
  type: N,
  rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
) => ({ type, realmId: 'acme', actor: 'test', idempotency: null, ...rest }) as unknown as Command;

const change = (memberId: string, tokens: number, realmPointId: string | null = null) =>
  commandOf('points.change', { memberId, tokens, realmPointId, description: null });

const member = (memberId: string) =>
  commandOf('member.create', { memberId, fields: {}, wallets: [] });

const gems = { ...FIRST_KIND, id: 'gems', isDefault: false };

/** Points move from record 5 on; member 3 leaves, and the kind `gems` comes late. */
const HISTORY: Command[] = [
  commandOf('realm.create', { name: 'Acme', settings: {} }),
  member('1'),
  member('2'),
  member('3'),
  change('1', 100),
  change('2', 50),
  change('1', -10),
  commandOf('points.transfer', {
    memberId: '1',
    recipientId: '2',
    tokens: 20,
    realmPointId: null,
    description: null,
    reference: 'order-7',
  }),
  commandOf('points.reverse', { transactionId: 8, tokens: 5, description: null, force: false }),
  commandOf('kind.create', { kind: gems }),
  change('3', 7, 'gems'),
  change('2', 3, 'gems'),
  commandOf('member.remove', { memberId: '3', forfeit: true }),
  commandOf('member.update', { memberId: '2', fields: {}, status: 'frozen' }),
];

async function writtenRealm(t: TestContext) {
  const realm = await written(t, HISTORY);
  while (await realm.ledger.housekeeping.enrolInKinds('acme'));
  return realm;
}

async function faultIn(ledger: Ledger): Promise<Fault | null> {
  const verdict = await verdictOf(ledger, 'acme');
  assert.ok(verdict);
  return verdict.ok ? null : verdict.fault;
}

test('an intact realm passes after each command', async (t) => {
  const { ledger } = await writtenRealm(t);
  assert.equal(await faultIn(ledger), null);
  for (const command of [change('1', 1), member('9'), change('9', 4, 'gems')]) {
    await ledger.execute(command as never);
    assert.equal(await faultIn(ledger), null);
  }
});

test('a realm passes before and after its members are enrolled in a new kind', async (t) => {
  const { ledger } = await writtenRealm(t);
  await ledger.execute(commandOf('kind.create', { kind: { ...gems, id: 'stars' } }) as never);
  assert.equal(await faultIn(ledger), null);
  await ledger.execute(member('11') as never);
  await ledger.execute(change('1', 5, 'stars') as never);
  await ledger.execute(commandOf('member.remove', { memberId: '1', forfeit: true }) as never);
  assert.equal(await faultIn(ledger), null);
  assert.deepEqual(await ledger.query('enrollingRealms', { limit: 5 }), ['acme']);
  while (await ledger.housekeeping.enrolInKinds('acme'));
  assert.equal(await faultIn(ledger), null);
  assert.deepEqual(await ledger.query('enrollingRealms', { limit: 5 }), []);
});

const REFERENCES = 'movement_references';
const projectionFaults: [what: string, sql: string, projection: string][] = [
  ['a wrong past balance', 'UPDATE entries SET balance = balance + 1 WHERE seq = 6', 'entries'],
  ['a wrong type', "UPDATE entries SET type = 'points.added' WHERE seq = 7", 'entries'],
  ['a missing entry', 'DELETE FROM entries WHERE seq = 8 AND member_id = 2', 'entries'],
  ['an entry of another member', 'UPDATE entries SET member_id = 4 WHERE seq = 6', 'entries'],
  ['an entry of another record', 'UPDATE entries SET seq = 3 WHERE seq = 6', 'entries'],
  ['a missing movement', 'DELETE FROM movements WHERE seq = 8', 'movements'],
  ['a movement of another type', "UPDATE movements SET type = 'x' WHERE seq = 8", 'movements'],
  ['a missing reference', 'DELETE FROM movement_references WHERE member_id = 2', REFERENCES],
  ['a wrong reference', "UPDATE movement_references SET reference = 'order-8'", REFERENCES],
  ['a reference of another record', 'UPDATE movement_references SET seq = 7', REFERENCES],
  ['a wrong score', 'UPDATE scores SET week_score = week_score + 1 WHERE member_id = 2', 'scores'],
  [
    'a past score',
    `INSERT INTO past_scores (realm_id, seq, member_id, leaderboard, score)
     VALUES ('acme', 5, 1, 'points@past-week:2026-01-05', 7)`,
    'past_scores',
  ],
  ['a missing score', 'DELETE FROM scores WHERE member_id = 2', 'scores'],
  ['a score of nobody', 'UPDATE scores SET member_id = 77 WHERE member_id = 2', 'scores'],
  ['a wrong count', 'UPDATE rank_buckets SET count = count + 1', 'rank_buckets'],
  ['no counts', 'DELETE FROM rank_buckets', 'rank_buckets'],
  ['a wrong end', 'UPDATE rank_buckets SET ends_at = 9e15 WHERE ends_at > 0', 'rank_buckets'],
  ['a wrong sum', "UPDATE daily_totals SET issued = '1'", 'daily_totals'],
  ['a missing day', 'DELETE FROM daily_totals WHERE day > 0', 'daily_totals'],
  [
    'a wrong number of members',
    'UPDATE daily_totals SET member_count = member_count + 1',
    'daily_totals',
  ],
  [
    'a wrong count of active',
    'UPDATE active_members SET member_count = member_count + 1',
    'active_members',
  ],
  ['no active members', 'DELETE FROM active_members', 'active_members'],
  ['active members of another day', 'UPDATE active_members SET day = 1', 'active_members'],
  ['a day without records', 'UPDATE daily_totals SET day = 1 WHERE day > 0', 'daily_totals'],
];

for (const [what, sql, projection] of projectionFaults) {
  test(`finds ${what}, and a rebuild corrects it`, async (t) => {
    const { database, ledger } = await writtenRealm(t);
    await database.exec(sql);
    assert.equal((await faultIn(ledger))?.projection, projection);
    await ledger.housekeeping.rebuildProjections('acme');
    assert.equal(await faultIn(ledger), null);
  });
}

const ACME = "realm_id = 'acme'";
const tableFaults: [what: string, sql: string, detail: RegExp][] = [
  ['a removed member', `UPDATE members SET status = 'removed' WHERE member_id = 1`, /is removed/],
  ['a member thawed', `UPDATE members SET status = 'active' WHERE member_id = 2`, /but frozen/],
  ['a missing member', `DELETE FROM members WHERE ${ACME} AND member_id = 1`, /row is missing/],
  ['a renamed kind', `UPDATE point_kinds SET realm_point_id = 'x' WHERE is_default = 0`, /not in/],
  ['a kind edited', 'UPDATE point_kinds SET minimum_balance = -5', /point kind has minimumBalance/],
  [
    'a reversal edited',
    `UPDATE reversals SET tokens = 6 WHERE ${ACME}`,
    /reversal of record 8 has tokens 6/,
  ],
  [
    'a wrong last movement',
    'UPDATE balances SET moved_at = moved_at + 1 WHERE member_id = 2',
    /the balance has movedAt/,
  ],
  [
    'a movement of points that never moved',
    'UPDATE balances SET moved_at = 1 WHERE moved_at IS NULL',
    /the balance has movedAt/,
  ],
  [
    'a wrong last active day',
    'UPDATE balances SET active_day = active_day + 1 WHERE member_id = 2',
    /the balance has activeDay/,
  ],
  ['a missing balance of 0', 'DELETE FROM balances WHERE balance = 0', /there is no balance/],
  [
    'a balance of a removed member',
    `INSERT INTO balances (realm_id, member_id, realm_point_id, balance, held, open_holds)
     VALUES ('acme', 3, 'gems', 0, 0, 0)`,
    /no such member/,
  ],
  [
    'a missing reversal',
    `DELETE FROM reversals WHERE ${ACME}`,
    /reversal of record 8 is in the journal/,
  ],
];

for (const [what, sql, detail] of tableFaults) {
  test(`finds ${what}`, async (t) => {
    const { database, ledger } = await writtenRealm(t);
    await database.exec(sql);
    const fault = await faultIn(ledger);
    assert.match(fault?.detail ?? 'no fault', detail);
    assert.equal(fault?.projection, undefined);
  });
}
