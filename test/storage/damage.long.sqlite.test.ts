import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { OperatorError } from '../../src/config/operator-error.ts';
import { Unavailable } from '../../src/ledger/errors.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { verdictOf } from '../support/verdict.ts';

/**
 * Flipped bytes in the file: an answer is right, or it is refused, or the command `verify` finds
 * the fault, which checks the realm and the file. It never says that all is well while a statement
 * is wrong.
 */
const SEED = Number(process.env.DAMAGE_SEED ?? Math.floor(Math.random() * 2 ** 31));
const ROUNDS = Number(process.env.DAMAGE_ROUNDS ?? 160);
const folder = mkdtempSync(join(tmpdir(), 'realmkeep-damage-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const INTACT = join(folder, 'intact.db');
const MEMBERS = 20;

/** A small generator of random numbers, so that a round can be repeated from its seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    state ^= state >>> 12;
    return (state >>> 0) % below;
  };
}

async function writeHistory(): Promise<void> {
  const ledger = new InProcessLedger(openSqliteStore(INTACT));
  const envelope = { realmId: 'acme', actor: 'test', idempotency: null };
  const settings = { autoEnroll: true };
  await ledger.execute({ ...envelope, type: 'realm.create', name: 'Acme', settings });
  const entries = Array.from({ length: 1_000 }, (_, index) => ({
    memberId: String(1 + (index % MEMBERS)),
    tokens: index + 1,
    realmPointId: null,
    description: null,
  }));
  await ledger.execute({ ...envelope, type: 'points.batch', atomic: true, entries });
  const reversal = { tokens: null, description: null, force: true };
  for (const seq of [100, 500, 900]) {
    await ledger.execute({ ...envelope, ...reversal, type: 'points.reverse', transactionId: seq });
  }
  await ledger.close();
  const db = new DatabaseSync(INTACT);
  db.exec('PRAGMA journal_mode = DELETE');
  db.close();
}

const HOUR = 3_600_000;

/** Statements, past balances, the realm's transactions and leaderboards. */
async function readAll(ledger: Ledger): Promise<string> {
  const params = { realmId: 'acme', realmPointId: null, from: null, to: null, before: null };
  const board = { realmId: 'acme', realmPointId: null, at: now, after: null, limit: 500 };
  const answers: unknown[] = [];
  for (let id = 1; id <= MEMBERS; id++) {
    const memberId = String(id);
    answers.push(await ledger.query('statement', { ...params, memberId, type: null, limit: 500 }));
    answers.push(await ledger.query('balancesAt', { realmId: 'acme', memberId, at: now }));
    answers.push(await ledger.query('balancesAt', { realmId: 'acme', memberId, at: now + HOUR }));
  }
  for (const type of [null, 'points.added', 'points.reversed']) {
    answers.push(await ledger.query('transactions', { ...params, type, limit: 500 }));
  }
  for (const window of ['all', 'month'] as const) {
    const found = await ledger.query('leaderboard', { ...board, window });
    // Names are the members' own, and not what a projection says.
    answers.push(found?.rows.map(({ rank, memberId, score }) => [rank, memberId, score]));
    answers.push(found?.total);
  }
  return JSON.stringify(answers);
}

const now = Date.now();
await writeHistory();
const truth = await open(INTACT, readAll);
const size = readFileSync(INTACT).length;

async function open<T>(path: string, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = new InProcessLedger(openSqliteStore(path));
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

function damagedCopy(name: string, edit: (bytes: Buffer) => void): string {
  const path = join(folder, `${name}.db`);
  copyFileSync(INTACT, path);
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
  return path;
}

function remove(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

/** What a caller gets: the right answers, wrong ones, or none. */
async function answersOf(ledger: Ledger): Promise<'right' | 'wrong' | 'refused'> {
  try {
    return (await readAll(ledger)) === truth ? 'right' : 'wrong';
  } catch {
    return 'refused';
  }
}

/** Whether `verify` says that all is well. */
async function passesVerify(ledger: Ledger): Promise<boolean> {
  const verdict = await verdictOf(ledger, 'acme').catch(() => null);
  return verdict?.ok === true && (await ledger.housekeeping.checkIntegrity())?.fault === null;
}

test('no wrong answer from a damaged file passes verify', async (t) => {
  t.diagnostic(`DAMAGE_SEED=${SEED}`);
  const counts = { right: 0, wrong: 0, refused: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const random = randomNumbers(SEED + round);
    const path = damagedCopy(String(round), (bytes) => {
      // Anything but the header, in one place or a run of up to eight bytes.
      const at = 100 + random(size - 108);
      for (let offset = 0; offset <= random(8); offset++) {
        bytes[at + offset] = (bytes[at + offset] ?? 0) ^ (1 + random(255));
      }
    });
    const place = `round ${round} of seed ${SEED}`;
    try {
      await open(path, async (ledger) => {
        const answers = await answersOf(ledger);
        counts[answers] += 1;
        const isHidden = answers === 'wrong' && (await passesVerify(ledger));
        assert.ok(!isHidden, `${place}: wrong answers, and verify says ok`);
      });
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      // Too damaged to be opened.
      counts.refused += 1;
    }
    remove(path);
  }
  t.diagnostic(JSON.stringify(counts));
});

const fail = (error: unknown) => assert.fail(String(error));
const events = {
  onDeath: fail,
  onDamage: fail,
  onUnavailable: fail,
  onAvailable: fail,
  onRefused: fail,
} as const;
const address = (path: string) =>
  ({ kind: 'sqlite', path, shown: path, name: 'DATABASE_URL' }) as const;

test('a damaged database file refuses to start, and says what to do', async () => {
  // Inner pages: a file without a readable header is no database at all.
  const path = damagedCopy('start', (bytes) => bytes.fill(0xa5, 8_192, 40_960));
  const before = readFileSync(path);
  await assert.rejects(openStorage(address(path), events as never), (error: Error) => {
    assert.ok(error instanceof OperatorError);
    assert.equal(error.code, 'database-damaged');
    assert.match(error.message, /is damaged: .*restore a backup: npx realmkeep restore/);
    return true;
  });
  assert.deepEqual(readFileSync(path), before);
  remove(path);
});

test('damage found while running stops writes, and reads go on', async () => {
  const path = damagedCopy('running', () => undefined);
  const reports: string[] = [];
  const onDamage = (reason: string) => void reports.push(reason);
  const ledger = await openStorage(address(path), { ...events, onDamage } as never);
  try {
    assert.deepEqual(await ledger.housekeeping.checkIntegrity(), { fault: null });
    const credit = {
      type: 'points.change',
      realmId: 'acme',
      memberId: '1',
      tokens: 1,
      realmPointId: null,
      description: null,
      actor: 'test',
      idempotency: null,
    } as const;
    assert.ok('answer' in (await ledger.execute(credit)));
    damageIndex(path);
    const integrity = await ledger.housekeeping.checkIntegrity();
    assert.notEqual(integrity?.fault, null);
    assert.equal(reports.length, 1);
    await assert.rejects(
      ledger.execute(credit),
      (error) => error instanceof Unavailable && error.reason === 'storage-damaged',
    );
    assert.equal((await ledger.query('member', { realmId: 'acme', memberId: '1', now }))?.id, '1');
  } finally {
    await ledger.close();
    remove(path);
  }
});

/** Overwrites the last pages, which are in use, under the running service. */
function damageIndex(path: string): void {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x5a, bytes.length - 3 * 4_096), { flag: 'r+' });
}
