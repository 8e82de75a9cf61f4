import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Command, Outcome } from '../../src/domain/commands.ts';
import type { LeasedWebhook, WebhookReport } from '../../src/domain/webhook.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { RealmCache } from '../../src/store/cache.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Table } from '../../src/store/table.ts';
import { tables } from '../../src/store/tables.ts';
import { create } from '../support/commands.ts';
import { newPostgresDatabase, sqliteFile, type TestDatabase } from '../support/database.ts';
import { fixedSalts } from '../support/salts.ts';
import { verdictOf } from '../support/verdict.ts';
import { RandomCommands, randomOf, SEALED_BY } from './random-commands.ts';

/**
 * The same commands leave the same rows in SQLite, in SQLite without a realm cache, and in
 * PostgreSQL, byte for byte. On PostgreSQL two nodes take turns: each is active long enough to fill
 * its cache, and the other one then makes it stale.
 */
const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));
const ROUNDS = 50;
const COMMANDS_A_ROUND = 60;
/** Between two rounds one node alone writes to one realm, mostly points. */
const BATCHES_ALONE = 30;
const COMMANDS_A_BATCH = 3;
const REALMS = Array.from({ length: 5 }, (_, index) => `r${index}`);

class Forgetful extends RealmCache {
  override store(): void {}
}

const newFile = () => sqliteFile(mkdtempSync(join(tmpdir(), 'realmkeep-same-')));
const databases = {
  fresh: newFile(),
  lite: newFile(),
  postgres: await newPostgresDatabase(),
};
let now = 1_800_000_000_000;
const clock = () => now;
const { fresh, lite, postgres } = databases;
const freshStore = openSqliteStore(fresh.url.replace('sqlite:', ''), new Forgetful());
const reference = new InProcessLedger(freshStore, clock, null, fixedSalts);
const alone = new InProcessLedger(await lite.open(), clock, null, fixedSalts);
const nodes = [
  new InProcessLedger(await postgres.open(), clock, null, fixedSalts),
  new InProcessLedger(await postgres.open(), clock, null, fixedSalts),
] as const;
const ledgers = [reference, alone, ...nodes];
after(async () => {
  await Promise.all(ledgers.map((ledger) => ledger.close()));
  await Promise.all(Object.values(databases).map((database) => database.drop()));
});

const firstMember = (realmId: string): Command => ({
  ...{ realmId, actor: 'cli', idempotency: null },
  ...{ type: 'member.create', memberId: '999999', fields: {}, wallets: [] },
});

async function onAll(commands: Command[], node: InProcessLedger): Promise<Outcome[]> {
  const [expected, ...others] = await Promise.all(
    [reference, alone, node].map((ledger) =>
      Promise.all(commands.map((one): Promise<Outcome> => ledger.execute(one as never))),
    ),
  );
  for (const outcomes of others) assert.deepEqual(outcomes, expected);
  return expected as Outcome[];
}

/** What the sender of webhooks stores is no command, but the next commands depend on it. */
async function sendOnAll(node: InProcessLedger): Promise<void> {
  const owner = 'sender';
  const send = async ({ housekeeping }: InProcessLedger) => {
    const leased = await housekeeping.leaseWebhooks({ owner, sealedBy: SEALED_BY, ms: 60_000 });
    await housekeeping.saveReports({ owner, reports: leased.map(reportOf) });
    await housekeeping.releaseWebhooks(owner);
  };
  await Promise.all([reference, alone, node].map(send));
}

/** Nor does a command erase personal parts, or give members a balance of a new kind. */
async function maintainAll(node: InProcessLedger, realmId: string): Promise<void> {
  for (const { housekeeping } of [reference, alone, node]) {
    await housekeeping.erasePersonalParts(realmId);
    if (realmId !== REALMS[0]) await housekeeping.enrolInKinds(realmId);
  }
}

function reportOf({ id, realmId, startSeq, lastSeq }: LeasedWebhook): WebhookReport {
  const sent = { webhookId: id, id: now, seq: lastSeq, type: 'points.added', attempt: 1, at: now };
  const answered = { latencyMs: 3, status: 500, answer: '{"text":"ä😀"}', error: null };
  const progress = { position: lastSeq - 1, attempts: 1, failingSince: now, nextAt: now + 1 };
  const deliveries = [{ ...sent, ...answered }];
  return { realmId, webhookId: id, progressOf: startSeq, ...progress, deliveries };
}

/** Rows as text, sorted. */
async function rowsOf(database: TestDatabase, table: Table<never>, hex: string): Promise<string[]> {
  // Only PostgreSQL has to find a batch again.
  const same = table.columns.filter(({ name }) => name !== 'batch');
  const columns = same.map(({ name, type }) => {
    const bytes = `nullif(${hex.replace('?', name)}, '')`;
    const text = type === 'bytes' ? bytes : `CAST(${name} AS TEXT)`;
    return `${text} AS ${name}`;
  });
  // How many buckets are left empty depends on how commands were put into batches.
  const which = table.name === 'rank_buckets' ? 'WHERE count > 0' : '';
  const rows = await database.rows(`SELECT ${columns.join(', ')} FROM ${table.name} ${which}`);
  return rows.map((row) => JSON.stringify({ ...row, ...answerIn(row) })).toSorted();
}

/** The order of an answer's properties depends on whether its row was loaded or new. */
function answerIn({ answer }: Record<string, unknown>): { answer?: unknown } {
  return typeof answer === 'string' && answer ? { answer: byName(JSON.parse(answer)) } : {};
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
  const turn = () => nodes[nodeOf() < 0.5 ? 0 : 1];
  await onAll(REALMS.map(create), turn());
  // Whether a kind of points is there before the first member depends on the batches.
  await onAll(REALMS.map(firstMember), turn());
  const accepted = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    // A week that ends has its leaderboards kept.
    now += round === ROUNDS / 2 ? 8 * 24 * 60 * 60 * 1000 : 300;
    const commands = Array.from({ length: COMMANDS_A_ROUND }, () => made.next());
    const outcomes = await onAll(commands, turn());
    for (const [index, outcome] of outcomes.entries()) {
      const command = commands[index] as Command;
      assert.ok(!('fault' in outcome), JSON.stringify(outcome));
      if (!('answer' in outcome)) continue;
      accepted.add(command.type);
      if (command.type !== 'wallet.challenge' || outcome.replayed) continue;
      made.noteIssued(command, (outcome.answer as { message: string }).message);
    }
    const node = turn();
    await sendOnAll(node);
    const realmId = REALMS[round % REALMS.length] as string;
    // Some work is left, so that its tables have rows.
    if (round < ROUNDS / 2) await maintainAll(node, realmId);
    for (let batch = 1; batch <= BATCHES_ALONE; batch++) {
      now += 1;
      const next = () => (batch % 6 === 0 ? made.next(realmId) : made.nextOfPoints(realmId));
      await onAll(Array.from({ length: COMMANDS_A_BATCH }, next), node);
    }
  }
  // The journal first: its differences say most about their cause.
  for (const table of Object.values<Table<never>>(tables).toReversed()) {
    const expected = await rowsOf(fresh, table, 'lower(hex(?))');
    assert.deepEqual(await rowsOf(lite, table, 'lower(hex(?))'), expected, table.name);
    assert.deepEqual(await rowsOf(postgres, table, `encode(?, 'hex')`), expected, table.name);
    assert.ok(expected.length > 0, `nothing was written to ${table.name}`);
  }
  for (const realmId of REALMS) {
    for (const ledger of ledgers) {
      const verdict = await verdictOf(ledger, realmId);
      assert.equal(verdict?.ok, true, JSON.stringify(verdict));
    }
  }
  // Every command except those that only the service itself issues.
  assert.ok(accepted.size >= 25, [...accepted].join(' '));
});
