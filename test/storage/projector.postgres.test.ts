import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CommandName, CommandOf } from '../../src/domain/commands.ts';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { newPostgresDatabase } from '../support/database.ts';

const database = await newPostgresDatabase();
const ledger = new InProcessLedger(await database.open());
after(async () => {
  await ledger.close();
  await database.drop();
});

const REALMS = 8;
/** Each also enrols its member: together they make as many records as one step projects. */
const ENTRIES = 4_000;

async function accepted<N extends CommandName>(command: CommandOf<N>): Promise<void> {
  const outcome = await ledger.execute(command);
  assert.ok('answer' in outcome, JSON.stringify(outcome).slice(0, 200));
}

test('projecting many journals returns soon, since a stop waits for it', async () => {
  const entries = Array.from({ length: ENTRIES }, (_, index) => ({
    memberId: String(index + 1),
    tokens: index + 1,
    realmPointId: null,
    description: null,
  }));
  for (let index = 0; index < REALMS; index++) {
    const base = { realmId: `realm-${index}`, actor: 'test', idempotency: null };
    const settings = { autoEnroll: true };
    await accepted({ ...base, type: 'realm.create', name: 'Realm', settings });
    await accepted({ ...base, type: 'points.batch', atomic: true, entries });
  }
  const count = async (sql: string) => {
    const [row] = await database.rows(`SELECT count(*)::int AS n FROM ${sql}`);
    return row?.n as number;
  };
  assert.equal(await ledger.housekeeping.project('all'), 'full');
  const begun = await count('projection_positions WHERE seq > 0');
  assert.ok(begun > 0 && begun < REALMS, `${begun} of ${REALMS}`);
  while ((await ledger.housekeeping.project('all')) === 'full');
  assert.equal(await count('movements'), REALMS * ENTRIES);
});

test('a journal that cannot be projected does not hold up the others', async () => {
  const MANY = 60;
  const ids = Array.from({ length: MANY }, (_, index) => `many-${index}`);
  for (const realmId of ids) {
    const base = { realmId, actor: 'test', idempotency: null };
    await accepted({ ...base, type: 'realm.create', name: realmId, settings: {} });
  }
  await database.exec(
    `UPDATE journal SET type = 'member.created', data = 'no JSON' WHERE realm_id = 'many-7'`,
  );
  let hasFired = false;
  setImmediate(() => {
    hasFired = true;
  });
  let failures = 0;
  const isMore = async () => (await ledger.housekeeping.project('all')) === 'full';
  const fail = () => {
    failures += 1;
    return true;
  };
  for (let calls = 0; calls < 5 && (await isMore().catch(fail)); calls++);
  assert.ok(hasFired, 'it did not yield to other work');
  assert.ok(failures > 0, 'the failure was not reported');
  const [row] = await database.rows(
    `SELECT count(*)::int AS n FROM projection_positions WHERE seq > 0 AND realm_id LIKE 'many-%'`,
  );
  assert.equal(row?.n, MANY - 1);
});
