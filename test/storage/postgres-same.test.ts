import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Command, Outcome } from '../../src/domain/commands.ts';
import { LocalKeeper } from '../../src/domain/local-keeper.ts';
import { columnsOf, tables } from '../../src/store/copy/tables.ts';
import { create } from '../support/commands.ts';
import { newPostgresDatabase, sqliteFile, type TestDatabase } from '../support/database.ts';
import { RandomCommands, randomOf } from './random-commands.ts';

/**
 * What is asked of both storages leaves the same in both, to the last byte. Of PostgreSQL two nodes
 * take turns, for long enough to remember what they write, and not long enough to be right.
 */
const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));
const ROUNDS = 50;
const COMMANDS_A_ROUND = 60;
/** Between two rounds one node has one realm for itself; now and then not only its points. */
const BATCHES_ALONE = 30;
const COMMANDS_A_BATCH = 3;
const REALMS = Array.from({ length: 5 }, (_, index) => `r${index}`);

const lite = sqliteFile(mkdtempSync(join(tmpdir(), 'realmkeep-same-')));
const postgres = await newPostgresDatabase();
let now = 1_800_000_000_000;
const clock = () => now;
const keepers = [
  new LocalKeeper(await lite.open(), clock),
  new LocalKeeper(await postgres.open(), clock),
  new LocalKeeper(await postgres.open(), clock),
] as const;
after(async () => {
  await Promise.all(keepers.map((keeper) => keeper.close()));
  await Promise.all([lite.drop(), postgres.drop()]);
});

async function onBoth(commands: Command[], node: 1 | 2): Promise<Outcome[]> {
  const [there, here] = await Promise.all(
    [keepers[0], keepers[node]].map((keeper) =>
      Promise.all(commands.map((one): Promise<Outcome> => keeper.execute(one as never))),
    ),
  );
  assert.deepEqual(here, there);
  return there as Outcome[];
}

/** Rows as text, in an order that is nobody's own. */
async function rowsOf(database: TestDatabase, table: string, hex: string): Promise<string[]> {
  const columns = columnsOf(table).map(({ name, type }) => {
    const text = type === 'bytea' ? hex.replace('?', name) : `CAST(${name} AS TEXT)`;
    return `${text} AS ${name}`;
  });
  const rows = await database.rows(`SELECT ${columns.join(', ')} FROM ${table}`);
  return rows.map((row) => JSON.stringify({ ...row, ...answerIn(row) })).toSorted();
}

/** Answers are read by their names, whose order tells what was loaded and what just made. */
function answerIn({ answer }: Record<string, unknown>): { answer?: unknown } {
  return typeof answer === 'string' ? { answer: byName(JSON.parse(answer)) } : {};
}

function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, byName(one)]));
}

test(`the same commands on SQLite and PostgreSQL, TEST_SEED=${SEED}`, async () => {
  const made = new RandomCommands(SEED, REALMS);
  const nodeOf = randomOf(SEED);
  const turn = () => (nodeOf() < 0.5 ? 1 : 2);
  await onBoth(REALMS.map(create), 1);
  const accepted = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    now += 300;
    const commands = Array.from({ length: COMMANDS_A_ROUND }, () => made.next());
    const outcomes = await onBoth(commands, turn());
    for (const [index, outcome] of outcomes.entries()) {
      const command = commands[index] as Command;
      assert.ok(!('fault' in outcome), JSON.stringify(outcome));
      if (!('answer' in outcome)) continue;
      accepted.add(command.type);
      if (command.type !== 'wallet.challenge' || outcome.replayed) continue;
      made.noteIssued(command, (outcome.answer as { message: string }).message);
    }
    const node = turn();
    const realmId = REALMS[round % REALMS.length] as string;
    for (let batch = 1; batch <= BATCHES_ALONE; batch++) {
      now += 1;
      const next = () => (batch % 6 === 0 ? made.next(realmId) : made.nextOfPoints(realmId));
      await onBoth(Array.from({ length: COMMANDS_A_BATCH }, next), node);
    }
  }
  // The journal first: of all the tables it tells best what differs.
  for (const table of Object.keys(tables).toReversed()) {
    const there = await rowsOf(lite, table, 'lower(hex(?))');
    const here = await rowsOf(postgres, table, `encode(?, 'hex')`);
    assert.deepEqual(here, there, table);
    assert.ok(here.length > 0 || table === 'service', `nothing was written to ${table}`);
  }
  for (const realmId of REALMS) {
    for (const keeper of keepers) {
      assert.equal((await keeper.ask('verify', { realmId }))?.ok, true);
    }
  }
  // Every command but those of the service's own making has its part in it.
  assert.ok(accepted.size >= 20, [...accepted].join(' '));
});
