import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { batches } from '../../siege/attacks/batches.ts';
import { idempotencyKeys } from '../../siege/attacks/idempotency-keys.ts';
import { auditBooks } from '../../siege/audit.ts';
import { LIGHT_REALM } from '../../siege/light-realm.ts';
import { Stage } from '../../siege/stage.ts';
import type { Write } from '../../siege/writes.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';

/** Two attacks that write. */
const attacks = [batches, idempotencyKeys];
const KILLS = 2;
const SECONDS = 10;
/** Of the light realm: what counts is what the kill interrupts. */
const KILL_AFTER_WRITES = 10;
/** However slow the machine is, each attack has written so often, and had answers. */
const WRITES_BEFORE_KILL = 3;
const POLL_MS = 20;

test('a kill during a siege loses and doubles nothing, in any realm', async (t) => {
  const database = await newDatabase();
  const stage = await Stage.prepare(database.url, attacks, 'short');
  t.after(async () => {
    await stage.close();
    await database.drop();
  });
  const written = new Map<string, Write[]>();
  for (let kill = 0; kill < KILLS; kill++) {
    for (const [realmId, writes] of await writesUntilKilled(stage, database)) {
      written.set(realmId, [...(written.get(realmId) ?? []), ...writes]);
    }
  }
  for (const [realmId, writes] of written) {
    const done = writes.filter(({ fate }) => fate === 'done');
    assert.ok(done.length >= KILLS, `${done.length} writes of ${realmId} were acknowledged`);
  }
  await repeatUnknown(stage, written.get(LIGHT_REALM) ?? []);
  assert.deepEqual(await auditBooks(database.url, written), []);
});

/** Kills the service in the middle of its attacks. Returns the writes of each realm. */
async function writesUntilKilled(
  stage: Stage,
  database: TestDatabase,
): Promise<Map<string, Write[]>> {
  const node = await stage.start();
  const light = stage.lightRealm();
  for (const calls of light.calls) calls.start();
  const ready = await Promise.all(attacks.map((attack) => stage.attacker(attack, SECONDS)));
  let isOver = false;
  const attacking = Promise.all(ready.map((attack) => attack())).finally(() => {
    isOver = true;
  });
  const isDone = ({ fate }: Write): boolean => fate === 'done';
  while (light.writes.filter(isDone).length < KILL_AFTER_WRITES) await pause(POLL_MS);
  for (let write = 0; write < WRITES_BEFORE_KILL; write += 1) {
    await eachWrites(database, () => isOver);
  }
  await node.stop('SIGKILL');
  const attacked = await attacking;
  for (const calls of light.calls) await calls.stop();
  const written = attacks.map(({ name }, index) => [name, attacked[index]?.writes ?? []] as const);
  return new Map([[LIGHT_REALM, light.writes], ...written]);
}

type Seqs = Map<unknown, number>;

async function lastSeqs(database: TestDatabase): Promise<Seqs> {
  const rows = await database.rows('SELECT realm_id, seq FROM realms');
  return new Map(rows.map(({ realm_id, seq }) => [realm_id, Number(seq)]));
}

async function eachWrites(database: TestDatabase, isOver: () => boolean): Promise<void> {
  const before = await lastSeqs(database);
  const hasWritten = (now: Seqs): boolean =>
    attacks.every(({ name }) => (now.get(name) ?? 0) > (before.get(name) ?? 0));
  while (!isOver() && !hasWritten(await lastSeqs(database))) await pause(POLL_MS);
}

/** A write without an answer is sent again: under its key it is done exactly once. */
async function repeatUnknown(stage: Stage, writes: Write[]): Promise<void> {
  await stage.start();
  const light = stage.lightRealm();
  const unknown = writes.filter(({ fate }) => fate === 'unknown');
  assert.ok(unknown.length > 0, 'the kill interrupts the light realm');
  for (const { status } of await light.repeat(unknown)) assert.equal(status, 200);
  for (const write of unknown) write.fate = 'done';
  for (const calls of light.calls) await calls.stop();
  assert.ok(await stage.stop());
}
