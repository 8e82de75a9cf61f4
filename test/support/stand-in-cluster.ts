import pg from 'pg';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { ALL_TABLES } from '../../src/store/schema.ts';
import { tables } from '../../src/store/tables.ts';
import { query } from './cluster.ts';
import { PostgresServer } from './postgres-server.ts';

const SHARDS = 4;
const [FIRST_ID, RENUMBERED] = [102_008, 1_000];
const byRealm = new Set(Object.values(tables).map(({ name }) => name));

/** The part of Citus' catalogue that is read, and its lock. */
const CATALOGUE = `
  CREATE TABLE pg_dist_partition (logicalrelid regclass);
  CREATE TABLE pg_dist_node (groupid integer, nodename text, nodeport integer,
    noderole text DEFAULT 'primary', isactive boolean DEFAULT true);
  CREATE TABLE pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text);
  CREATE TABLE pg_dist_placement (shardid bigint, groupid integer);
  CREATE TABLE pg_dist_local_group (groupid integer);
  CREATE FUNCTION lock_shard_metadata(mode integer, ids bigint[]) RETURNS void LANGUAGE plpgsql AS
    $$BEGIN
      PERFORM pg_advisory_xact_lock_shared(id) FROM unnest(ids) AS id;
      IF (SELECT count(*) FROM pg_dist_shard WHERE shardid = ANY (ids)) < cardinality(ids) THEN
        RAISE 'could not find valid entry for shard %', ids USING ERRCODE = 'XX000';
      END IF;
    END$$`;

/**
 * Two servers of plain PostgreSQL with tables that are named as the shards of Citus, and a
 * catalogue that says so. What every server has in full is not kept equal.
 */
export class StandInCluster {
  readonly servers: readonly PostgresServer[];

  private constructor(servers: readonly PostgresServer[]) {
    this.servers = servers;
  }

  static async start(): Promise<StandInCluster> {
    const servers = await Promise.all([PostgresServer.start(), PostgresServer.start()]);
    const cluster = new StandInCluster(servers);
    await Promise.all(servers.map(({ url }, at) => cluster.#prepare(url, at + 1)));
    return cluster;
  }

  get url(): string {
    return this.servers[0]?.url ?? '';
  }

  /** On all servers. */
  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const found = await Promise.all(this.servers.map(({ url }) => query(url, sql)));
    return found.flat();
  }

  /** The numbers of a table's shards. */
  shardsOf(table: string): number[] {
    const at = ALL_TABLES.findIndex(({ name }) => name === table);
    return Array.from({ length: SHARDS }, (_, shard) => FIRST_ID + shard * 100 + at);
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  async #prepare(url: string, group: number): Promise<void> {
    await migratePostgres(url);
    await query(url, CATALOGUE);
    await query(url, `INSERT INTO pg_dist_local_group VALUES (${group})`);
    for (const [at, server] of this.servers.entries()) {
      const { hostname, port } = new URL(server.url);
      await query(url, `INSERT INTO pg_dist_node VALUES (${at + 1}, '${hostname}', ${port})`);
    }
    for (const { name } of ALL_TABLES) {
      await query(url, `INSERT INTO pg_dist_partition VALUES ('${name}')`);
      const ids = byRealm.has(name) ? this.shardsOf(name) : this.shardsOf(name).slice(0, 1);
      for (const [shard, id] of ids.entries()) await this.#addShard(url, name, shard, id);
    }
  }

  async #addShard(url: string, table: string, shard: number, id: number): Promise<void> {
    const lowest = -(2 ** 31) + shard * (2 ** 32 / SHARDS);
    const min = byRealm.has(table) ? `'${lowest}'` : 'NULL';
    const group = (shard % this.servers.length) + 1;
    await query(
      url,
      `CREATE TABLE ${table}_${id} (LIKE ${table} INCLUDING ALL);
       INSERT INTO pg_dist_shard VALUES ('${table}', ${id}, ${min});
       INSERT INTO pg_dist_placement VALUES (${id}, ${group})`,
    );
  }

  /** Gives all parts of a shard other numbers, as Citus does with one that it splits. */
  async renumber(shard: number): Promise<void> {
    const changes = [...byRealm].map((table) => {
      const id = Number(this.shardsOf(table)[shard]);
      const to = id + RENUMBERED;
      const update = (name: string) => `UPDATE ${name} SET shardid = ${to} WHERE shardid = ${id}`;
      return `ALTER TABLE ${table}_${id} RENAME TO ${table}_${to};
        ${update('pg_dist_shard')}; ${update('pg_dist_placement')}`;
    });
    const [lock] = this.shardsOf('realms').slice(shard);
    const all = `BEGIN; SELECT pg_advisory_xact_lock(${lock}); ${changes.join('; ')}; COMMIT`;
    for (const { url } of this.servers) await query(url, all);
  }

  /** Moves a shard as Citus does: the last step excludes whoever writes to it. */
  async move(shard: number, from: number, to: number): Promise<void> {
    const [source, target] = [from, to].map((at) => new pg.Client(this.servers[at]?.url));
    if (!source || !target) throw new Error('there is no such server');
    await Promise.all([source.connect(), target.connect()]);
    try {
      const ids = [...byRealm].map((table) => ({ table, id: this.shardsOf(table)[shard] }));
      const lock = ids.map(({ id }) => `pg_advisory_xact_lock(${id})`).join(', ');
      for (const client of [source, target]) await client.query(`BEGIN; SELECT ${lock}`);
      for (const { table, id } of ids) {
        const { rows } = await source.query(`SELECT t::text AS row FROM ${table}_${id} t`);
        await target.query(`DELETE FROM ${table}_${id}`);
        const insert = `INSERT INTO ${table}_${id} SELECT (row::${table}_${id}).*`;
        const values = [rows.map(({ row }) => row)];
        await target.query(`${insert} FROM unnest($1::text[]) AS row`, values);
        const place = `UPDATE pg_dist_placement SET groupid = ${to + 1} WHERE shardid = ${id}`;
        await Promise.all([source.query(place), target.query(place)]);
      }
      for (const client of [target, source]) await client.query('COMMIT');
    } finally {
      await Promise.all([source.end(), target.end()]);
    }
  }
}
