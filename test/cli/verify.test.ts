import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Progress } from '../../src/cli/terminal.ts';
import { Cli, performed, withoutProgress } from './cli.ts';
import { ALICE, tamper, writeHistory } from './journal-history.ts';

async function cliWithHistory(t: TestContext): Promise<Cli> {
  const cli = new Cli(t);
  await writeHistory(cli);
  return cli;
}

test('a valid realm is reported in one line', async (t) => {
  const cli = await cliWithHistory(t);
  const { code, stdout, stderr } = await cli.run(['verify', 'acme']);
  assert.equal(code, 0);
  assert.equal(withoutProgress(stderr), '');
  assert.match(stdout, /^acme: ok, 39 records, 3 members, head [0-9a-f]{64}\n$/);
});

test('--json has the full head', async (t) => {
  const cli = await cliWithHistory(t);
  const { ok, realms } = await cli.ask(['verify', 'acme', 'acme']);
  assert.equal(ok, true);
  const [{ head, ...rest }, ...others] = realms as [Record<string, unknown>];
  assert.match(String(head), /^[0-9a-f]{64}$/);
  const counts = { transactions: 14, records: 39, members: 3 };
  assert.deepEqual(rest, { realmId: 'acme', ok: true, ...counts });
  assert.deepEqual(others, [], 'a realm that is named twice is checked once');
});

test('by default all realms are checked, and one fault fails the command', async (t) => {
  const cli = await cliWithHistory(t);
  await cli.run(['realm', 'create', 'zeta', '--name', 'Zeta']);
  assert.match(
    (await cli.run(['verify'])).stdout,
    /^acme: ok, .*\nzeta: ok, 1 record, 0 members, /,
  );
  await tamper(cli, "UPDATE journal SET actor = 'nobody' WHERE realm_id = 'acme' AND seq = 3");
  const { code, stdout } = await cli.run(['verify']);
  assert.equal(code, 1);
  assert.match(stdout, /^acme: FAULT after 2 records: record 3 is not what .*\nzeta: ok, .*\n$/);
  assert.equal((await cli.run(['verify', 'zeta'])).code, 0);
});

test('a database without realms has no faults', async (t) => {
  const cli = new Cli(t);
  await cli.run(['migrate']);
  assert.deepEqual(await cli.ask(['verify']), { ok: true, realms: [] });
  assert.equal((await cli.run(['verify'])).stdout, 'There are no realms.\n');
});

test('a missing realm is reported before any work', async (t) => {
  const cli = await cliWithHistory(t);
  const { code, stdout, stderr } = await cli.run(['verify', 'acme', 'acne']);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^realmkeep: There is no realm "acne" in \S+\. .*\n$/);
  assert.equal((await performed(['verify', 'acme', 'a/b'])).code, 2);
});

const ACME = `realm_id = 'acme'`;
const LAST = `(SELECT max(seq) FROM journal WHERE ${ACME})`;
const CUT_TWO = 'DELETE FROM journal WHERE seq > 37';
const CUT_THREE = 'DELETE FROM journal WHERE seq > 36';
const COVER_UP =
  `UPDATE realms SET seq = ${LAST}, ` +
  `head = (SELECT hash FROM journal WHERE ${ACME} AND seq = ${LAST}) WHERE ${ACME}`;

const tamperings: [string, string[], RegExp][] = [
  [
    'an edited amount',
    ["UPDATE journal SET data = replace(data, ':1000', ':9000') WHERE seq = 15"],
    /FAULT after 14 records: record 15 is not what was written: its hash does not match/,
  ],
  [
    'an edited instant',
    ['UPDATE journal SET at = at + 1 WHERE seq = 5'],
    /record 5 is not what was written/,
  ],
  [
    'an edited hash',
    [
      `UPDATE journal SET hash = (SELECT hash FROM journal WHERE ${ACME} AND seq = 4)
       WHERE ${ACME} AND seq = 5`,
    ],
    /record 5 is not what was written/,
  ],
  [
    'a deleted record',
    ['DELETE FROM journal WHERE seq = 20'],
    /FAULT after 19 records: record 20 is missing: after 19 comes 21/,
  ],
  ['a truncated tail', [CUT_TWO], /FAULT after 37 records: records 38 to 39 are missing/],
  [
    'a truncated tail under an adapted head, where points moved',
    [CUT_THREE, COVER_UP],
    /the balance is -1, but the journal adds up to 0 \(member 45, gems\)/,
  ],
  [
    'an added record',
    [
      `INSERT INTO journal (realm_id, seq, type, at, actor, data, hash)
       SELECT realm_id, seq + 1, type, at, actor, data, hash FROM journal WHERE seq = ${LAST}`,
    ],
    /record 40 is not what was written/,
  ],
  [
    'an edited head',
    [`UPDATE realms SET head = (SELECT hash FROM journal WHERE ${ACME} AND seq = 4) WHERE ${ACME}`],
    /the realm's head is not that of record 39/,
  ],
  [
    'an edited balance',
    [
      `UPDATE balances SET balance = balance + 1
       WHERE member_id = ${ALICE} AND realm_point_id = 'points'`,
    ],
    new RegExp(`the balance is 901, but .* 900 \\(member ${ALICE}, points\\)`),
  ],
  [
    'a deleted balance',
    [`DELETE FROM balances WHERE member_id = ${ALICE}`],
    new RegExp(`there is no balance, but .* adds up to 900 \\(member ${ALICE}, points\\)`),
  ],
];

for (const [name, statements, sentence] of tamperings) {
  test(`${name} in the database is reported`, async (t) => {
    const cli = await cliWithHistory(t);
    await tamper(cli, ...statements);
    const { code, stdout, stderr } = await cli.run(['verify', 'acme']);
    assert.equal(code, 1);
    assert.match(stdout, sentence);
    assert.equal(withoutProgress(stderr), '');
  });
}

test('with --json a fault is part of the one object', async (t) => {
  const cli = await cliWithHistory(t);
  await tamper(cli, 'DELETE FROM journal WHERE seq = 20');
  const { code, stdout } = await cli.run(['verify', '--json']);
  assert.equal(code, 1);
  const fault = { seq: 20, detail: 'record 20 is missing: after 19 comes 21' };
  assert.deepEqual(JSON.parse(stdout), {
    ok: false,
    realms: [{ realmId: 'acme', ok: false, transactions: 5, records: 19, fault }],
  });
});

test('only long work shows progress, on a terminal in one line', (t) => {
  const { stderr } = process;
  const { isTTY: before } = stderr;
  t.after(() => {
    stderr.isTTY = before;
  });
  let [now, written] = [0, ''];
  t.mock.method(performance, 'now', () => now);
  t.mock.method(stderr, 'write', (text: string) => {
    written += text;
    return true;
  });
  for (const [isTTY, said] of [
    [false, 'three …\nfive …\n'],
    [true, '\r\x1b[Kthree …\r\x1b[Kfour …\r\x1b[Kfive …\r\x1b[K'],
  ] as const) {
    now = 0;
    written = '';
    stderr.isTTY = isTTY;
    const progress = new Progress();
    for (const [at, text] of [
      [0, 'one'],
      [900, 'two'],
      [1_000, 'three'],
      [1_100, 'too early'],
      [1_300, 'four'],
      [9_000, 'five'],
    ] as const) {
      now = at;
      progress.show(text);
    }
    progress[Symbol.dispose]();
    assert.equal(written, said);
  }
});
