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
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { rowsOf } from '../../src/store/sqlite/rows.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { tables } from '../../src/store/tables/tables.ts';

/** A check of the books finds every way in which a file can be tampered with. */
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-verify-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const WHOLE = join(folder, 'whole.db');
let files = 0;

const said = <N extends CommandName>(
  realmId: string,
  type: N,
  rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
) => ({ type, realmId, actor: 'test', idempotency: null, ...rest }) as unknown as Command;

/** The same busy history for every realm; record 4 onward moves points. */
function history(realmId: string): Command[] {
  const kind = { ...FIRST_KIND, id: 'gems', isDefault: false, minimumBalance: -50 };
  const points = { realmPointId: null, description: 'Thanks' };
  const someone = { fields: { username: 'ann' }, wallets: [] };
  return [
    said(realmId, 'realm.create', { name: 'Acme', settings: {} }),
    said(realmId, 'member.create', { memberId: '1', ...someone }),
    said(realmId, 'member.create', { memberId: '9007199254740993', ...someone }),
    said(realmId, 'points.change', { memberId: '1', tokens: 100, ...points }),
    said(realmId, 'points.change', { memberId: '1', tokens: -10, ...points }),
    said(realmId, 'points.transfer', {
      memberId: '1',
      recipientId: '9007199254740993',
      tokens: 20,
      ...points,
    }),
    said(realmId, 'kind.create', { kind }),
    said(realmId, 'points.change', { ...points, memberId: '1', tokens: -30, realmPointId: 'gems' }),
    said(realmId, 'hold.create', { memberId: '1', tokens: 40, expiresInSeconds: 60, ...points }),
    said(realmId, 'hold.capture', { holdId: 9, tokens: 15, recipientId: '9007199254740993' }),
    said(realmId, 'points.reverse', {
      transactionId: 6,
      tokens: 5,
      description: null,
      force: false,
    }),
    said(realmId, 'hold.release', { holdId: 9 }),
    said(realmId, 'member.create', { memberId: '3', ...someone }),
    said(realmId, 'points.change', { memberId: '3', tokens: 5, ...points }),
    said(realmId, 'member.remove', { memberId: '3', forfeit: true }),
  ];
}

const LAST = 16;
const COUNTS = { records: LAST, transactions: 8, members: 2 };
const ledger = new InProcessLedger(openSqliteStore(WHOLE), () => 1_800_000_000_000);
for (const realmId of ['acme', 'twin']) {
  for (const command of history(realmId)) {
    const outcome = await ledger.execute(command as never);
    assert.ok('answer' in outcome, JSON.stringify([command, outcome]));
  }
}
await ledger.close();

/** What is said of a copy of the file after it was edited. */
async function judged(edit: (db: DatabaseSync) => void, realmId = 'acme'): Promise<Verdict | null> {
  const path = join(folder, `${++files}.db`);
  copyFileSync(WHOLE, path);
  const db = new DatabaseSync(path);
  edit(db);
  db.close();
  const own = new InProcessLedger(openSqliteStore(path));
  try {
    return await own.query('verify', { realmId });
  } finally {
    await own.close();
  }
}

const sql = (text: string) => (db: DatabaseSync) => db.exec(text);
const at = (seq: number) => `realm_id = 'acme' AND seq = ${seq}`;

/** Writes the hashes anew from a record on, as a thief with time would, and the realm's head. */
function rehash(db: DatabaseSync, from: number): void {
  const records = rowsOf(db, tables.records)
    .select<[string]>('WHERE realm_id = ? ORDER BY seq')
    .all('acme');
  let head = records[from - 2]?.hash ?? '';
  for (const record of records.slice(from - 1)) {
    head = chainHash(head, recordText('acme', record));
    const put = db.prepare(`UPDATE journal SET hash = ? WHERE ${at(record.seq)}`);
    put.run(Buffer.from(head, 'hex'));
  }
  const put = db.prepare(`UPDATE realms SET head = ?, seq = ? WHERE realm_id = 'acme'`);
  put.run(Buffer.from(head, 'hex'), records.length);
}

const hashedAnew = (text: string, from: number) => (db: DatabaseSync) => {
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

/** What was done, and the first record that is not true; null where it is a balance. */
const faults: [what: string, edit: (db: DatabaseSync) => void, seq: number | null][] = [
  ['an edited amount', sql(amount(6)), 6],
  ['an edited amount, hashed anew', hashedAnew(amount(6), 6), 6],
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
  ['a pair swapped but for its hashes', swap(['type', 'at', 'actor', 'data']), 5],
  ['a record inserted', sql(makeRoom + again(6, 7)), 7],
  ['a record at the end', sql(again(5, LAST + 1)), LAST + 1],
  ['the tail cut off', sql(`DELETE FROM journal WHERE realm_id = 'acme' AND seq > 13`), 14],
  ['all of it cut off', sql(`DELETE FROM journal WHERE realm_id = 'acme'`), 1],
  ['an edited actor', sql(`UPDATE journal SET actor = 'root' WHERE ${at(4)}`), 4],
  [
    'an edited description',
    sql(`UPDATE journal SET data = replace(data, 'Thanks', 'thanks') WHERE ${at(4)}`),
    4,
  ],
  ['an edited time', sql(`UPDATE journal SET at = at + 1 WHERE ${at(4)}`), 4],
  ['an edited time past 2^53', sql(`UPDATE journal SET at = 1 << 60 WHERE ${at(4)}`), 4],
  ['an edited type', sql(`UPDATE journal SET type = 'points.added' WHERE ${at(5)}`), 5],
  ['an edited hash', sql(`UPDATE journal SET hash = zeroblob(32) WHERE ${at(7)}`), 7],
  ['data that is no JSON', sql(`UPDATE journal SET data = '{' WHERE ${at(7)}`), 7],
  ['another head', sql(`UPDATE realms SET head = zeroblob(32) WHERE realm_id = 'acme'`), LAST],
  ['an older end', sql(`UPDATE realms SET seq = 12 WHERE realm_id = 'acme'`), 13],
  ['a record of another realm', sql(fromTwin('seq = 6')), 6],
  ['the journal of another realm', sql(fromTwin('seq > 0')), 1],
  [
    'a time that runs backwards, hashed anew',
    hashedAnew(`UPDATE journal SET at = at - 1 WHERE ${at(9)}`, 9),
    9,
  ],
];

test('a busy realm is as it should be, and its head is the last hash', async () => {
  for (const realmId of ['acme', 'twin']) {
    const verdict = await judged(() => {}, realmId);
    assert.ok(verdict?.ok);
    const { records, transactions, members } = verdict;
    assert.deepEqual({ records, transactions, members }, COUNTS);
    assert.match(verdict.head, /^[0-9a-f]{64}$/);
  }
  assert.equal(await judged(() => {}, 'nowhere'), null);
});

for (const [what, edit, seq] of faults) {
  test(`it finds ${what}`, async () => {
    const verdict = await judged(edit);
    assert.ok(verdict && !verdict.ok, 'it says that all is well');
    assert.equal(verdict.fault.seq, seq, verdict.fault.detail);
    assert.ok(verdict.fault.detail.length > 20);
    // The records themselves are all true where only the realm's row is not.
    const isRow = /head|end$/.test(what) && seq !== LAST + 1;
    if (seq !== null) assert.equal(verdict.records, isRow ? LAST : seq - 1);
    if (what.includes('balance')) assert.equal(verdict.fault.memberId, '1');
    // The other realm has nothing to do with it.
    assert.equal((await judged(edit, 'twin'))?.ok, true);
  });
}
