import { randomBytes } from 'node:crypto';
import { query } from '../test/support/cluster.ts';
import { newPostgresDatabase } from '../test/support/database.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { type Answer, type Call, Caller, isGood } from './caller.ts';
import type { Findings } from './findings.ts';
import { Random } from './random.ts';
import { ServiceNode } from './service-node.ts';
import { WriteLog } from './write-log.ts';
import { Writes } from './writes.ts';

export const REALM = 'soak';
const NODES = 3;
const MEMBERS = 50;
/** The initial balance, so that most writes succeed. */
const INITIAL_TOKENS = 100;
/** Beyond the exact range of a JavaScript number, like the ids of Discord. */
const FIRST_ID = 80_351_110_224_678_912n;

/** A durable PostgreSQL, three nodes on it, and a realm with a few busy members. */
export class World {
  readonly random: Random;
  readonly findings: Findings;
  readonly server: PostgresServer;
  readonly databaseUrl: string;
  readonly nodes: readonly ServiceNode[];
  readonly rootKey: string;
  readonly caller = new Caller();
  readonly writeLog = new WriteLog();
  readonly writes: Writes;
  /** A key of the realm with the scope write. */
  key = '';

  private constructor(
    seed: number,
    findings: Findings,
    server: PostgresServer,
    databaseUrl: string,
    nodes: ServiceNode[],
    rootKey: string,
  ) {
    this.random = new Random(seed);
    this.findings = findings;
    this.server = server;
    this.databaseUrl = databaseUrl;
    this.nodes = nodes;
    this.rootKey = rootKey;
    const members = Array.from({ length: MEMBERS }, (_, index) => String(FIRST_ID + BigInt(index)));
    this.writes = new Writes(members, 'load');
  }

  static async make(seed: number, findings: Findings): Promise<World> {
    const server = await PostgresServer.start({ isDurable: true });
    const { url } = await newPostgresDatabase(server.url);
    const rootKey = randomBytes(32).toString('hex');
    // All at once on an empty database: they compete for its migrations.
    const starts = Array.from({ length: NODES }, (_, index) =>
      ServiceNode.start(index + 1, url, rootKey),
    );
    const world = new World(seed, findings, server, url, await Promise.all(starts), rootKey);
    await world.#populate();
    return world;
  }

  path(rest: string): string {
    return `/api/v4/realms/${REALM}${rest}`;
  }

  /** Sends a call with the realm's key by default, to any node by default. */
  send(call: Omit<Call, 'key'> & { key?: string }, node = this.anyNode()): Promise<Answer> {
    return this.caller.send(node, { key: this.key, ...call, path: this.path(call.path) });
  }

  /** Sends a call that must succeed. */
  async must(call: Omit<Call, 'key'> & { key?: string }, node?: ServiceNode): Promise<Answer> {
    const answer = await this.send(call, node);
    if (isGood(answer)) return answer;
    throw new Error(`${call.method} ${call.path}: ${answer.status} ${answer.text}`);
  }

  anyNode(): ServiceNode {
    return this.random.pick(this.nodes);
  }

  /** The nodes' connections to the database; null while it is down. */
  async connections(): Promise<number | null> {
    const counted = query(
      this.databaseUrl,
      "SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE 'realmkeep %'",
    );
    return counted.then(
      ([row]) => Number(row?.count),
      () => null,
    );
  }

  /** Stops everything, the nodes like an operator would. */
  async end(): Promise<void> {
    this.caller.close();
    const stops = this.nodes.map(async (node) => {
      const { isRunning } = node;
      this.findings.expect(isRunning, 'a node exited by itself', `node ${node.index}`);
      const code = await node.stop();
      this.findings.expect(code === 0, 'a node did not stop cleanly', `node ${node.index}`);
      for (const line of node.errors()) this.findings.fault('a node logged an error', line);
    });
    await Promise.all(stops);
    await this.server.stop();
  }

  async #populate(): Promise<void> {
    const node = this.nodes[0] as ServiceNode;
    const root = { kind: 'admin', method: 'POST', key: this.rootKey } as const;
    const body = { id: REALM, name: 'Soak' };
    await this.caller.send(node, { ...root, path: '/api/v4/realms', body });
    const issue = { ...root, path: '/keys', body: { name: 'load', scopes: ['write'] } };
    this.key = (await this.must(issue, node)).json.key;
    const enrolments = this.writes.members.map(async (id) => {
      await this.must({ kind: 'admin', method: 'POST', path: '/members', body: { id } });
      const write = this.writes.change(id, INITIAL_TOKENS);
      const answer = await this.must({ kind: 'write', ...write });
      this.writeLog.add(write).add(answer, this.findings);
    });
    await Promise.all(enrolments);
  }
}
