import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { batches } from '../../siege/attacks/batches.ts';
import { idempotencyKeys } from '../../siege/attacks/idempotency-keys.ts';
import { auditBooks } from '../../siege/audit.ts';
import { LIGHT_REALM } from '../../siege/light-realm.ts';
import { Stage } from '../../siege/stage.ts';
import type { Write } from '../../siege/writes.ts';
import { newDatabase } from '../support/database.ts';

/** Two attacks that write. */
const attacks = [batches, idempotencyKeys];
const KILLS = 2;
const SECONDS = 4;
const KILL_AFTER_MS = 1_200;
/** However slow the machine is, by then the attacks have written something, too. */
const KILL_AFTER_WRITES = 20;
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
    for (const [realmId, writes] of await writesUntilKilled(stage)) {
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
async function writesUntilKilled(stage: Stage): Promise<Map<string, Write[]>> {
  const node = await stage.start();
  const light = stage.lightRealm();
  for (const calls of light.calls) calls.start();
  const ready = await Promise.all(attacks.map((attack) => stage.attacker(attack, SECONDS)));
  const attacking = Promise.all(ready.map((attack) => attack()));
  await pause(KILL_AFTER_MS);
  const isDone = ({ fate }: Write): boolean => fate === 'done';
  while (light.writes.filter(isDone).length < KILL_AFTER_WRITES) await pause(POLL_MS);
  await node.stop('SIGKILL');
  const attacked = await attacking;
  for (const calls of light.calls) await calls.stop();
  const written = attacks.map(({ name }, index) => [name, attacked[index]?.writes ?? []] as const);
  return new Map([[LIGHT_REALM, light.writes], ...written]);
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
