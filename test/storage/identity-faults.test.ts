import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Command, CommandName, CommandOf } from '../../src/domain/commands.ts';
import type { Address } from '../../src/domain/model.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import {
  firstRealms,
  type Inspection,
  quickFault as quickFaultIn,
} from '../../src/store/inspection.ts';
import { inspectPostgres } from '../../src/store/postgres/inspection.ts';
import { inspectSqlite } from '../../src/store/sqlite/store.ts';
import { STORAGE, type TestDatabase } from '../support/database.ts';
import { verdictOf } from '../support/verdict.ts';
import { written } from './written-realm.ts';

/** `verify` and the quick look compare holds, profiles, wallets and keys with the journal. */
const commandOf = <N extends CommandName>(
  type: N,
  rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
) => ({ type, realmId: 'acme', actor: 'test', idempotency: null, ...rest }) as unknown as Command;

const walletOf = (digit: string): Address => {
  const key = `0x${digit.repeat(40)}`;
  return { chain: 'eip155', key, address: key };
};

const member = (memberId: string, digits = '') =>
  commandOf('member.create', {
    memberId,
    fields: {
      username: `user-${memberId}`,
      accounts: [{ provider: 'discord', id: `${memberId}00`, username: null }],
      metadata: '{"2":[1,null],"10":"a","b":"ü"}',
    },
    wallets: [...digits].map(walletOf),
  });

const hold = (memberId: string, tokens: number) =>
  commandOf('hold.create', {
    memberId,
    tokens,
    realmPointId: null,
    expiresInSeconds: 3600,
    description: `of ${memberId}`,
  });

const capture = (holdId: number, tokens: number | null, recipientId: string | null = null) =>
  commandOf('hold.capture', { holdId, tokens, recipientId });

const keyOf = (id: string) => ({ id, secretHash: 'ab'.repeat(32) });

/** 23 records. The holds are 11, 13 and 15, of which the last one is open. */
const HISTORY: Command[] = [
  commandOf('realm.create', { name: 'Acme', settings: {} }),
  member('1', '12'),
  member('2', '3'),
  member('3', '4'),
  commandOf('wallet.link', { memberId: '1', wallet: walletOf('2'), primary: true, proof: null }),
  commandOf('points.change', { memberId: '1', tokens: 100, realmPointId: null, description: null }),
  hold('1', 10),
  capture(11, null),
  hold('1', 20),
  commandOf('hold.release', { holdId: 13 }),
  hold('1', 30),
  capture(15, 5, '2'),
  commandOf('member.update', { memberId: '2', fields: { displayName: 'Two' } }),
  commandOf('key.create', {
    newKey: keyOf('aaaa'),
    name: 'bot',
    scopes: ['read'],
    expiresAt: 4e12,
  }),
  commandOf('key.rotate', { keyId: 'aaaa', newKey: keyOf('bbbb'), overlapSeconds: 60 }),
  commandOf('key.revoke', { keyId: 'bbbb' }),
  commandOf('member.remove', { memberId: '3', forfeit: true, erase: true }),
];

const writtenRealm = (t: TestContext) => written(t, HISTORY);

/** What a start and the doctor look at. */
function quickFault({ url }: TestDatabase): Promise<string | null> {
  const look = async ({ run }: Inspection): Promise<string | null> => {
    const [realm] = await run(firstRealms(1));
    assert.ok(realm);
    return run(quickFaultIn(realm));
  };
  return STORAGE === 'postgres'
    ? inspectPostgres(url, look)
    : inspectSqlite(url.slice('sqlite:'.length), look);
}

async function faultIn(ledger: Ledger): Promise<string | null> {
  const verdict = await verdictOf(ledger, 'acme');
  assert.ok(verdict);
  return verdict.ok ? null : verdict.fault.detail;
}

test('an intact realm passes, before and after a member is erased', async (t) => {
  const { database, ledger } = await writtenRealm(t);
  assert.deepEqual([await faultIn(ledger), await quickFault(database)], [null, null]);
  while (await ledger.housekeeping.erasePersonalParts('acme'));
  assert.deepEqual([await faultIn(ledger), await quickFault(database)], [null, null]);
  await ledger.execute(member('3', '4') as never);
  assert.deepEqual([await faultIn(ledger), await quickFault(database)], [null, null]);
});

const faults: [what: string, sql: string, detail: RegExp, isSeenAtOnce?: boolean][] = [
  [
    'holds opened again',
    "UPDATE holds SET captured = 0, status = 'open' WHERE status = 'captured'",
    /hold 11 is open, but not/,
  ],
  [
    'a hold with less captured',
    'UPDATE holds SET captured = 0 WHERE hold_id = 15',
    /hold 15 has captured 0, but 5/,
  ],
  ['an ended hold edited', 'UPDATE holds SET tokens = 11 WHERE hold_id = 11', /have ended differ/],
  ['a hold that goes on', 'UPDATE holds SET expires_at = 1 WHERE hold_id = 15', /has expiresAt 1/],
  ['a hold described', "UPDATE holds SET description = 'x' WHERE hold_id = 13", /ended differ/],
  ['a missing hold', 'DELETE FROM holds WHERE hold_id = 15', /hold 15 is open in the journal/],
  ['a missing ended hold', 'DELETE FROM holds WHERE hold_id = 11', /have ended differ/],
  [
    'less held',
    'UPDATE balances SET held = 0 WHERE member_id = 1',
    /open holds set 0 aside, but there are 1 with 25$/,
  ],
  [
    'fewer holds',
    'UPDATE balances SET open_holds = 0 WHERE member_id = 1',
    /0 open holds set 25 aside, but there are 1 with 25$/,
  ],
  ['a name', "UPDATE members SET username = 'mallory' WHERE member_id = 2", /the username differs/],
  ['no name', 'UPDATE members SET display_name = NULL', /the displayName differs/],
  ['metadata', `UPDATE members SET metadata = '{"10":"b"}' WHERE member_id = 2`, /the metadata/],
  [
    'an account of another',
    'UPDATE accounts SET member_id = 1 WHERE member_id = 2',
    /the accounts of/,
    false,
  ],
  [
    'an account found by the key of another',
    "UPDATE accounts SET account_key = 'discord:999' WHERE member_id = 1",
    /an account of the member is found by discord:999/,
    false,
  ],
  ['a missing account', 'DELETE FROM accounts WHERE member_id = 1', /the accounts of/, false],
  [
    'a wallet of another',
    'UPDATE wallets SET member_id = 1 WHERE member_id = 2',
    /^the wallet 0x3+ belongs to 2 according|of the wallet 0x3+ is missing/,
  ],
  // The first wallet of a member may have been linked, and verified, before.
  ['a proof', 'UPDATE wallets SET verified_at = 1 WHERE member_id = 2', /0x3+ differs/, false],
  [
    'another primary wallet',
    'UPDATE wallets SET is_primary = 1 - is_primary WHERE member_id = 1',
    /the wallet 0x[12]+ differs from/,
  ],
  ['a missing wallet', 'DELETE FROM wallets WHERE member_id = 2', /the wallet 0x3+ is missing/],
  ['more scopes', "UPDATE api_keys SET scopes = 'admin'", /has scopes admin, but read/],
  ['a key that is back', 'UPDATE api_keys SET revoked_at = NULL', /bbbb has isRevoked false/],
  ['a key that stays', 'UPDATE api_keys SET expires_at = NULL', /has expiresAt null, but \d+/],
  ['a missing key', "DELETE FROM api_keys WHERE key_id = 'aaaa'", /its row is missing/],
];

for (const [what, sql, detail, isSeenAtOnce = true] of faults) {
  test(`finds ${what}`, async (t) => {
    const { database, ledger } = await writtenRealm(t);
    await database.exec(sql);
    assert.match((await faultIn(ledger)) ?? 'no fault', detail);
    // It is about one of the last records.
    if (isSeenAtOnce) assert.notEqual(await quickFault(database), null);
  });
}

test('the quick look also finds an old hold that was opened again', async (t) => {
  const { database, ledger } = await writtenRealm(t);
  for (let seq = 0; seq < 30; seq += 1) {
    const fields = { displayName: `Two ${seq}` };
    await ledger.execute(commandOf('member.update', { memberId: '2', fields }) as never);
  }
  assert.equal(await quickFault(database), null);
  await database.exec("UPDATE holds SET captured = 0, status = 'open' WHERE hold_id = 11");
  assert.match(
    String(await quickFault(database)),
    /1 open holds set 25 aside, but there are 2 with 35$/,
  );
});

const TEAM: Command[] = [
  commandOf('realm.create', { name: 'Acme', settings: {} }),
  commandOf('person.create', { newPersonId: 'pada', name: 'Ada', role: 'viewer' }),
  commandOf('person.update', { personId: 'pada', role: 'admin' }),
  commandOf('person.remove', { personId: 'pada', erase: false }),
  commandOf('person.create', { newPersonId: 'peve', name: 'Eve', role: 'manager' }),
  commandOf('person.remove', { personId: 'peve', erase: true }),
];

test('what differs of people is found at once', async (t) => {
  const { database, ledger } = await written(t, TEAM);
  assert.deepEqual([await faultIn(ledger), await quickFault(database)], [null, null]);
  while (await ledger.housekeeping.erasePersonalParts('acme'));
  assert.deepEqual([await faultIn(ledger), await quickFault(database)], [null, null]);
  for (const [sql, back, fault] of [
    ["role = 'viewer'", "role = 'admin'", /pada has role viewer/],
    ["name = 'Bob'", "name = 'Ada'", /pada has name Bob/],
    ['removed_at = NULL', 'removed_at = 1', /pada has isRemoved false/],
  ] as const) {
    const where = "WHERE person_id = 'pada'";
    await database.exec(`UPDATE people SET ${sql} ${where}`);
    assert.match((await faultIn(ledger)) ?? '', fault);
    assert.match((await quickFault(database)) ?? '', fault);
    await database.exec(`UPDATE people SET ${back} ${where}`);
  }
  await database.exec("DELETE FROM people WHERE person_id = 'peve'");
  assert.match((await faultIn(ledger)) ?? '', /peve is in the journal, but its row is missing/);
});
