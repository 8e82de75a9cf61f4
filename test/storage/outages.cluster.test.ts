import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { readCluster, shardOf } from '../../src/store/postgres/citus/catalogue.ts';
import { openPostgresLedger } from '../../src/store/postgres/ledger.ts';
import { create, credit } from '../support/commands.ts';
import { newPostgresDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { verdictOf } from '../support/verdict.ts';

/**
 * A server of a Citus cluster that is killed, and shards that are moved and split, all under load.
 * How the server is killed and started again only its operator knows: CITUS_KILL and CITUS_START
 * are commands of a shell.
 */
const { CITUS_KILL, CITUS_START } = process.env;
const NO_KILL = 'CITUS_KILL and CITUS_START name no commands that kill and start a worker';
const KILLS = 10;
const REALMS = Array.from({ length: 40 }, (_, index) => `realm-${index}`);
const RETRY_MS = 20;

type Row = Record<string, unknown>;

const shell = (command = '') => promisify(execFile)('sh', ['-c', command]);
const pause = (ms: number) => new Promise((next) => setTimeout(next, ms));

/** Credits every realm all the time, each credit until it is acknowledged. */
class Load {
  readonly acknowledged = new Map(REALMS.map((realmId) => [realmId, 0]));
  /** When calls of a realm failed. */
  readonly failures = new Map<string, number[]>(REALMS.map((realmId) => [realmId, []]));
  readonly #ledger: Ledger;
  readonly #workers: Promise<void>[];
  #isOver = false;
  #isGivenUp = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    this.#workers = REALMS.map((realmId) => this.#write(realmId));
  }

  async #write(realmId: string): Promise<void> {
    while (!this.#isOver) {
      const idempotency = { key: randomUUID(), fingerprint: 'same' };
      const command = { ...credit(realmId), idempotency };
      while (!(await this.#isWritten(command))) {
        if (this.#isGivenUp) return;
        await pause(RETRY_MS);
      }
      this.acknowledged.set(realmId, (this.acknowledged.get(realmId) ?? 0) + 1);
    }
  }

  async #isWritten(command: ReturnType<typeof credit>): Promise<boolean> {
    try {
      return 'answer' in (await this.#ledger.execute(command));
    } catch {
      this.failures.get(command.realmId)?.push(performance.now());
      return false;
    }
  }

  /** Returns when every realm has been written again. */
  async isEverywhere(): Promise<void> {
    const before = new Map(this.acknowledged);
    const isBehind = (id: string) => this.acknowledged.get(id) === before.get(id);
    while (REALMS.some(isBehind)) await pause(RETRY_MS);
  }

  /** Ends it, whatever is not acknowledged. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#isGivenUp = true;
    await Promise.all(this.#workers);
  }

  /** Ends it, and checks that each credit is there once. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
    for (const realmId of REALMS) {
      const member = await this.#ledger.query('member', { realmId, memberId: '1', now: 0 });
      assert.equal(member?.balances.points, this.acknowledged.get(realmId), realmId);
      assert.equal((await verdictOf(this.#ledger, realmId))?.ok, true, realmId);
    }
  }
}

async function loaded(t: TestContext, onServer?: (name: string | null) => void) {
  const database = await newPostgresDatabase();
  const ledger = await openPostgresLedger(database.url, {
    settleMs: 700,
    onServer: (name, cause) => onServer?.(cause ? name : null),
  });
  await Promise.all(REALMS.map((realmId) => ledger.execute(create(realmId))));
  const load = new Load(ledger);
  t.after(async () => {
    await load.stop();
    await ledger.close();
    await database.drop();
  });
  return { database, ledger, load };
}

/** The realms by the server that stores them. */
async function realmsByServer({ url }: TestDatabase): Promise<Map<string, string[]>> {
  const catalogue = await readCluster(url);
  assert.ok(catalogue);
  const nameOf = (realmId: string) => {
    const { group } = shardOf(catalogue, realmId);
    return catalogue.servers.find((one) => one.group === group)?.name ?? '';
  };
  return Map.groupBy(REALMS, nameOf);
}

test('a killed server is an outage of its realms alone', {
  skip: !CITUS_KILL && NO_KILL,
}, async (t) => {
  let away: string | null = null;
  const { database, load } = await loaded(t, (name) => {
    away = name;
  });
  const byServer = await realmsByServer(database);
  const report: string[] = [];
  for (let kills = 0; kills < KILLS; kills++) {
    await load.isEverywhere();
    const killedAt = performance.now();
    await shell(CITUS_KILL);
    const name = await eventually(async () => away, Boolean);
    await pause(2_000);
    const lostOnes = new Set(byServer.get(String(name)));
    assert.ok(lostOnes.size > 0 && lostOnes.size < REALMS.length, `${name}`);
    await shell(CITUS_START);
    const startedAt = performance.now();
    await load.isEverywhere();
    const recovery = performance.now() - startedAt;
    const late = REALMS.filter((id) => !lostOnes.has(id)).flatMap((id) =>
      (load.failures.get(id) ?? []).filter((at) => at > killedAt + 1_000),
    );
    report.push(`${Math.round(recovery)} ms`);
    assert.equal(late.length, 0, 'calls of healthy realms that failed after the first second');
    assert.ok(recovery < 5_000, `recovery took ${recovery} ms`);
  }
  await load.end();
  const sum = load.acknowledged.values().reduce((all, one) => all + one, 0);
  t.diagnostic(`${sum} acknowledged, each there once; recovery: ${report.join(', ')}`);
});

/** What Citus is asked to do with a shard of realms, under load: no call may fail. */
async function changed(t: TestContext, sqlFor: (shard: Row) => string): Promise<void> {
  const { database, load } = await loaded(t);
  await load.isEverywhere();
  const [shard] = await database.rows(
    `SELECT s.shardid, source.nodename, source.nodeport, source.nodeid,
       target.nodename AS to_name, target.nodeport AS to_port, target.nodeid AS to_id,
       (shardminvalue::bigint + shardmaxvalue::bigint) / 2 AS middle
     FROM pg_dist_shard s JOIN pg_dist_placement USING (shardid)
     JOIN pg_dist_node source USING (groupid)
     JOIN pg_dist_node target ON target.shouldhaveshards AND target.groupid <> source.groupid
     WHERE logicalrelid = 'realms'::regclass LIMIT 1`,
  );
  const before = (await realmsByServer(database)).values().toArray();
  await database.exec(`SELECT ${sqlFor(shard ?? {})}`);
  assert.notDeepEqual((await realmsByServer(database)).values().toArray(), before);
  await load.isEverywhere();
  await load.end();
  assert.deepEqual([...load.failures.values()].flat(), [], 'no call fails');
  const sum = load.acknowledged.values().reduce((all, one) => all + one, 0);
  t.diagnostic(`${sum} acknowledged, each there once`);
}

test('a shard is moved under load', (t) =>
  changed(
    t,
    ({ shardid, nodename, nodeport, to_name, to_port }) =>
      `citus_move_shard_placement(${shardid}, '${nodename}', ${nodeport},
         '${to_name}', ${to_port}, 'force_logical')`,
  ));

/** Citus follows the writes of a part only where it goes to another server. */
for (const mode of ['force_logical', 'block_writes']) {
  test(`a shard is split under load: ${mode}`, (t) =>
    changed(t, ({ shardid, middle, nodeid, to_id }) => {
      const nodes = mode === 'block_writes' ? [nodeid, to_id] : [to_id, to_id];
      return `citus_split_shard_by_split_points(${shardid}, ARRAY['${middle}'],
        ARRAY[${nodes}], '${mode}')`;
    }));
}
