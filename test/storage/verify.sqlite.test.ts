import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Command, CommandName, CommandOf } from '../../src/domain/commands.ts';
import { FIRST_KIND } from '../../src/domain/model.ts';
import type { Verdict } from '../../src/domain/rules/audit.ts';
import { chainHash, recordText } from '../../src/domain/rules/journal.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { selectRows } from '../../src/store/rows.ts';
import { SqliteDriver } from '../../src/store/sqlite/driver.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { all } from '../../src/store/statement.ts';
import { tables } from '../../src/store/tables.ts';
import { verifyRealm } from '../../src/store/verification.ts';
import { verdictOf } from '../support/verdict.ts';

/** A check of journal and balances finds every kind of tampering with the file. */
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-verify-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const INTACT = join(folder, 'whole.db');
let files = 0;

const commandOf = <N extends CommandName>(
  realmId: string,
  type: N,
  rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
) => ({ type, realmId, actor: 'test', idempotency: null, ...rest }) as unknown as Command;

/** The same history for every realm; points move from record 4 on. */
function history(realmId: string): Command[] {
  const kind = { ...FIRST_KIND, id: 'gems', isDefault: false, minimumBalance: -50 };
  const points = { realmPointId: null, description: 'Thanks' };
  const someone = { fields: { username: 'ann' }, wallets: [] };
  return [
    commandOf(realmId, 'realm.create', { name: 'Acme', settings: {} }),
    commandOf(realmId, 'member.create', { memberId: '1', ...someone }),
    commandOf(realmId, 'member.create', { memberId: '9007199254740993', ...someone }),
    commandOf(realmId, 'points.change', { memberId: '1', tokens: 100, ...points }),
    commandOf(realmId, 'points.change', { memberId: '1', tokens: -10, ...points }),
    commandOf(realmId, 'points.transfer', {
      memberId: '1',
      recipientId: '9007199254740993',
      tokens: 20,
      ...points,
    }),
    commandOf(realmId, 'kind.create', { kind }),
    commandOf(realmId, 'points.change', {
      ...points,
      memberId: '1',
      tokens: -30,
      realmPointId: 'gems',
    }),
    commandOf(realmId, 'hold.create', {
      memberId: '1',
      tokens: 40,
      expiresInSeconds: 60,
      ...points,
    }),
    commandOf(realmId, 'hold.capture', { holdId: 9, tokens: 15, recipientId: '9007199254740993' }),
    commandOf(realmId, 'points.reverse', {
      transactionId: 6,
      tokens: 5,
      description: null,
      force: false,
    }),
    commandOf(realmId, 'hold.release', { holdId: 9 }),
    commandOf(realmId, 'member.create', { memberId: '3', ...someone }),
    commandOf(realmId, 'points.change', { memberId: '3', tokens: 5, ...points }),
    commandOf(realmId, 'member.remove', { memberId: '3', forfeit: true }),
  ];
}

const LAST = 16;
const COUNTS = { records: LAST, transactions: 8, members: 2 };
const ledger = new InProcessLedger(openSqliteStore(INTACT), () => 1_800_000_000_000);
for (const realmId of ['acme', 'twin']) {
  for (const command of history(realmId)) {
    const outcome = await ledger.execute(command as never);
    assert.ok('answer' in outcome, JSON.stringify([command, outcome]));
  }
  while (await ledger.housekeeping.enrolInKinds(realmId));
}
await ledger.close();

/** The verdict on a copy of the file after an edit. */
async function verdictAfter(
  edit: (db: DatabaseSync) => void,
  realmId = 'acme',
): Promise<Verdict | null> {
  const path = join(folder, `${++files}.db`);
  copyFileSync(INTACT, path);
  const db = new DatabaseSync(path);
  edit(db);
  db.close();
  const own = new InProcessLedger(openSqliteStore(path));
  try {
    return await verdictOf(own, realmId);
  } finally {
    await own.close();
  }
}

const sql = (text: string) => (db: DatabaseSync) => db.exec(text);
const at = (seq: number) => `realm_id = 'acme' AND seq = ${seq}`;

const findRecords = selectRows(tables.records, "WHERE realm_id = 'acme' ORDER BY seq");

/** Recomputes the hashes from a record on and the realm's head, as a careful forger would. */
function rehash(db: DatabaseSync, from: number): void {
  const records = new SqliteDriver(db).run(all(findRecords, {}));
  let head = records[from - 2]?.hash ?? '';
  for (const record of records.slice(from - 1)) {
    head = chainHash(head, recordText('acme', record));
    const put = db.prepare(`UPDATE journal SET hash = ? WHERE ${at(record.seq)}`);
    put.run(Buffer.from(head, 'hex'));
  }
  const put = db.prepare(`UPDATE realms SET head = ?, seq = ? WHERE realm_id = 'acme'`);
  put.run(Buffer.from(head, 'hex'), records.length);
}

const rehashed = (text: string, from: number) => (db: DatabaseSync) => {
  db.exec(text);
  rehash(db, from);
};
const amount = (seq: number) =>
  `UPDATE journal SET data = replace(data, '"tokens":20', '"tokens":21') WHERE ${at(seq)}`;
const swap = (columns: string[]) => (db: DatabaseSync) => {
  const rows = [5, 6].map((seq) => db.prepare(`SELECT * FROM journal WHERE ${at(seq)}`).get());
  for (const [index, seq] of [6, 5].entries()) {
    const values = columns.map((name) => rows[index]?.[name] ?? null);
    const set = columns.map((name) => `${name} = ?`).join(', ');
    db.prepare(`UPDATE journal SET ${set} WHERE ${at(seq)}`).run(...values);
  }
};
const INSERT = `INSERT INTO journal (realm_id, seq, type, at, actor, data, hash)`;
const again = (seq: number, as: number) =>
  `${INSERT} SELECT realm_id, ${as}, type, at, actor, data, hash FROM journal WHERE ${at(seq)};`;
const makeRoom = `UPDATE journal SET seq = -seq - 1 WHERE realm_id = 'acme' AND seq >= 7;
  UPDATE journal SET seq = -seq WHERE realm_id = 'acme' AND seq < 0;`;
const fromTwin = (where: string) =>
  `UPDATE journal SET (type, at, actor, data, hash) =
     (SELECT type, at, actor, data, hash FROM journal t
      WHERE t.realm_id = 'twin' AND t.seq = journal.seq) WHERE realm_id = 'acme' AND ${where}`;
const balance = (change: string) =>
  `UPDATE balances SET balance = ${change} WHERE realm_id = 'acme' AND member_id = 1
   AND realm_point_id = 'points'`;

/** The edit, and the first record that is wrong; null if it is a balance. */
const faults: [what: string, edit: (db: DatabaseSync) => void, seq: number | null][] = [
  ['an edited amount', sql(amount(6)), 6],
  ['an edited amount, rehashed', rehashed(amount(6), 6), 6],
  ['an edited balance', sql(balance('balance + 1')), null],
  ['an edited balance past 2^53', sql(balance('1 << 60')), null],
  [
    'a deleted balance',
    sql(`DELETE FROM balances WHERE realm_id = 'acme' AND member_id = 1`),
    null,
  ],
  ['the first record deleted', sql(`DELETE FROM journal WHERE ${at(1)}`), 1],
  ['a record deleted', sql(`DELETE FROM journal WHERE ${at(8)}`), 8],
  ['a pair swapped', swap(['type', 'at', 'actor', 'data', 'hash']), 5],
  ['a pair swapped except for the hashes', swap(['type', 'at', 'actor', 'data']), 5],
  ['a record inserted', sql(makeRoom + again(6, 7)), 7],
  ['a record at the end', sql(again(5, LAST + 1)), LAST + 1],
  ['a truncated journal', sql(`DELETE FROM journal WHERE realm_id = 'acme' AND seq > 13`), 14],
  ['an empty journal', sql(`DELETE FROM journal WHERE realm_id = 'acme'`), 1],
  ['an edited actor', sql(`UPDATE journal SET actor = 'root' WHERE ${at(4)}`), 4],
  [
    'an edited description',
    sql(`UPDATE journal SET personal = replace(personal, 'Thanks', 'thanks') WHERE ${at(4)}`),
    4,
  ],
  ['an edited time', sql(`UPDATE journal SET at = at + 1 WHERE ${at(4)}`), 4],
  ['an edited time past 2^53', sql(`UPDATE journal SET at = 1 << 60 WHERE ${at(4)}`), 4],
  ['an edited type', sql(`UPDATE journal SET type = 'points.added' WHERE ${at(5)}`), 5],
  ['an edited hash', sql(`UPDATE journal SET hash = zeroblob(32) WHERE ${at(7)}`), 7],
  ['data that is not JSON', sql(`UPDATE journal SET data = '{' WHERE ${at(7)}`), 7],
  ['a wrong head', sql(`UPDATE realms SET head = zeroblob(32) WHERE realm_id = 'acme'`), LAST],
  ['an earlier end', sql(`UPDATE realms SET seq = 12 WHERE realm_id = 'acme'`), 13],
  ['a record of another realm', sql(fromTwin('seq = 6')), 6],
  ['the journal of another realm', sql(fromTwin('seq > 0')), 1],
  [
    'a time that goes backwards, rehashed',
    rehashed(`UPDATE journal SET at = at - 1 WHERE ${at(9)}`, 9),
    9,
  ],
];

test('an intact realm is verified, and the head is the last hash', async () => {
  for (const realmId of ['acme', 'twin']) {
    const verdict = await verdictAfter(() => {}, realmId);
    assert.ok(verdict?.ok);
    const { records, transactions, members } = verdict;
    assert.deepEqual({ records, transactions, members }, COUNTS);
    assert.match(verdict.head, /^[0-9a-f]{64}$/);
  }
  assert.equal(await verdictAfter(() => {}, 'nowhere'), null);
});

for (const [what, edit, seq] of faults) {
  test(`finds ${what}`, async () => {
    const verdict = await verdictAfter(edit);
    assert.ok(verdict && !verdict.ok, 'no fault was found');
    assert.equal(verdict.fault.seq, seq, verdict.fault.detail);
    assert.ok(verdict.fault.detail.length > 20);
    // If only the realm's row is wrong, all records are verified.
    const isRow = /head|end$/.test(what) && seq !== LAST + 1;
    if (seq !== null) assert.equal(verdict.records, isRow ? LAST : seq - 1);
    if (what.includes('balance')) assert.equal(verdict.fault.memberId, '1');
    // The other realm is not affected.
    assert.equal((await verdictAfter(edit, 'twin'))?.ok, true);
  });
}

test('within a step, progress only grows', async () => {
  using db = new DatabaseSync(INTACT, { readOnly: true });
  const driver = new SqliteDriver(db);
  const last = new Map<string, number>();
  await verifyRealm(
    (operation) => driver.run(operation),
    'acme',
    (step, checked) => {
      assert.ok(checked >= (last.get(step) ?? 0), `${step}: ${checked} after ${last.get(step)}`);
      last.set(step, checked);
    },
  );
  assert.deepEqual([...last.keys()], ['journal', 'tables', 'projections']);
});
