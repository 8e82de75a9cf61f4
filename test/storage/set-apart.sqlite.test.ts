import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Command } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/rules/decide.ts';
import { needsOf } from '../../src/domain/rules/needs.ts';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import type { Batch, Store } from '../../src/engine/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { create, enrol, largeBatch } from '../domain/queues.ts';
import { fixedSalts } from '../support/salts.ts';

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-apart-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const batchOf = (command: Command): Batch => ({
  needs: needsOf([command]),
  clock: () => 0,
  decide: (facts) => decide(facts, [command], 0, fixedSalts),
});

/** A ledger that counts decisions, and calls `between` once a large batch has been decided. */
function watched(store: Store, between: () => void) {
  let decisions = 0;
  const [{ limits, write }] = store.writers;
  const writer = {
    limits,
    write: (batch: Batch, patience: 'yield' | 'persist') => {
      const counting: Batch = {
        ...batch,
        decide: (facts) => {
          decisions += 1;
          return batch.decide(facts);
        },
      };
      const writing = write(counting, patience);
      if (patience === 'persist') between();
      return writing;
    },
  };
  const ledger = new InProcessLedger({ ...store, writers: [writer] });
  return { ledger, decisions: () => decisions };
}

async function writeLarge(path: string, meddle: (other: Store) => void) {
  const other = openSqliteStore(path);
  for (const command of [create('a'), create('b'), enrol('a', 1)]) {
    await other.writers[0].write(batchOf(command), 'yield').done;
  }
  const store = openSqliteStore(path);
  const { ledger, decisions } = watched(store, () => meddle(other));
  const outcome = await ledger.execute(largeBatch('a'));
  assert.ok('answer' in outcome);
  const verdict = await ledger.query('verify', { realmId: 'a' });
  assert.ok(verdict?.ok);
  await ledger.close();
  await other.close();
  return { decisions: decisions(), first: outcome.answer[0] };
}

test('a large batch is decided once if no other process writes meanwhile', async () => {
  const { decisions } = await writeLarge(join(folder, '1.db'), () => undefined);
  assert.equal(decisions, 1);
});

test('a large batch is decided again if another process wrote meanwhile', async () => {
  const { decisions, first } = await writeLarge(join(folder, '2.db'), (other) => {
    void other.writers[0].write(batchOf(enrol('a', 2)), 'yield').done;
  });
  assert.equal(decisions, 2);
  assert.ok(first && 'transactionId' in first);
  // After the records of the realm and its two members.
  assert.equal(first.transactionId, 4);
});

test('what arrives during one step of a large batch is not behind the next', async () => {
  const path = join(folder, '3.db');
  const store = openSqliteStore(path);
  const { port1: sender, port2: receiver } = new MessageChannel();
  const { ledger } = watched(store, () => sender.postMessage('during'));
  for (const command of [create('a'), create('b'), enrol('a', 1)]) await ledger.execute(command);
  const done: string[] = [];
  let members = 0;
  // As a call from another thread arrives: in a later turn of the event loop.
  receiver.on('message', async (when: string) => {
    members += 1;
    await ledger.execute(enrol('b', members));
    done.push(when);
  });
  const large = async (): Promise<void> => {
    await ledger.execute(largeBatch('a'));
    done.push('large');
    sender.postMessage('after');
  };
  await Promise.all([large(), large()]);
  receiver.close();
  assert.deepEqual(done, ['during', 'large', 'after', 'during', 'large']);
  await ledger.close();
});

test('while a large batch is decided, other realms write', async () => {
  const ledger = new InProcessLedger(openSqliteStore(join(folder, '4.db')));
  for (const command of [create('a'), create('b'), enrol('a', 1)]) await ledger.execute(command);
  let isDone = false;
  const large = ledger.execute(largeBatch('a')).then(() => {
    isDone = true;
  });
  let others = 0;
  for (; !isDone; others++) await ledger.execute(enrol('b', others + 1));
  await large;
  assert.ok(others >= 8, `only ${others} were written before it`);
  await ledger.close();
});

test('of large batches of two realms at once, each is written whole or not at all', async () => {
  const path = join(folder, '5.db');
  const ledger = new InProcessLedger(openSqliteStore(path));
  for (const realm of ['a', 'b']) {
    for (const command of [create(realm), enrol(realm, 1)]) await ledger.execute(command);
  }
  const exec = (sql: string): void => {
    using db = new DatabaseSync(path);
    db.exec(sql);
  };
  // The last record of the one that fails: rows of it are staged beside those of the other.
  exec(`CREATE TRIGGER refuse BEFORE INSERT ON journal WHEN NEW.realm_id = 'b' AND NEW.seq = 10002
        BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  const write = (realm: string) => ledger.execute(largeBatch(realm));
  const [a, b] = await Promise.allSettled(['a', 'b'].map(write));
  assert.deepEqual([a?.status, b?.status], ['fulfilled', 'rejected']);
  const lastSeqs = () => ledger.query('lastSeqs', { realmIds: ['a', 'b'] });
  assert.deepEqual(await lastSeqs(), [10_002, 2]);
  exec('DROP TRIGGER refuse');
  await Promise.all(['a', 'b'].map(write));
  assert.deepEqual(await lastSeqs(), [20_002, 10_002]);
  for (const realmId of ['a', 'b']) assert.ok((await ledger.query('verify', { realmId }))?.ok);
  await ledger.close();
});
