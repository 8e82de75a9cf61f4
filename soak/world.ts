import { randomBytes } from 'node:crypto';
import { query } from '../test/support/cluster.ts';
import { newPostgresDatabase } from '../test/support/database.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { type Answer, type Call, Caller, isGood } from './caller.ts';
import { Random } from './random.ts';
import { ServiceNode } from './service-node.ts';
import type { Verdict } from './verdict.ts';
import { WriteLog } from './write-log.ts';
import { Writes } from './writes.ts';

export const REALM = 'soak';
const NODES = 3;
const MEMBERS = 50;
/** What everybody has at first, so that most of what is asked can be done. */
const FIRST_TOKENS = 100;
/** Larger than a JavaScript number holds exactly, as Discord's are. */
const FIRST_ID = 80_351_110_224_678_912n;

/** A durable PostgreSQL, three nodes on it, and a realm whose members are on everybody's mind. */
export class World {
  readonly random: Random;
  readonly verdict: Verdict;
  readonly server: PostgresServer;
  readonly databaseUrl: string;
  readonly nodes: readonly ServiceNode[];
  readonly rootKey: string;
  readonly caller = new Caller();
  readonly writeLog = new WriteLog();
  readonly writes: Writes;
  /** A key of the realm that may write. */
  key = '';

  private constructor(
    seed: number,
    verdict: Verdict,
    server: PostgresServer,
    databaseUrl: string,
    nodes: ServiceNode[],
    rootKey: string,
  ) {
    this.random = new Random(seed);
    this.verdict = verdict;
    this.server = server;
    this.databaseUrl = databaseUrl;
    this.nodes = nodes;
    this.rootKey = rootKey;
    const members = Array.from({ length: MEMBERS }, (_, index) => String(FIRST_ID + BigInt(index)));
    this.writes = new Writes(members, 'load');
  }

  static async make(seed: number, verdict: Verdict): Promise<World> {
    const server = await PostgresServer.start({ isDurable: true });
    const { url } = await newPostgresDatabase(server.url);
    const rootKey = randomBytes(32).toString('hex');
    // All at once on an empty database: they take its steps together.
    const starts = Array.from({ length: NODES }, (_, index) =>
      ServiceNode.start(index + 1, url, rootKey),
    );
    const world = new World(seed, verdict, server, url, await Promise.all(starts), rootKey);
    await world.#populate();
    return world;
  }

  path(rest: string): string {
    return `/api/v4/realms/${REALM}${rest}`;
  }

  /** Asks under the realm's key, unless it says otherwise; any node will do. */
  ask(call: Omit<Call, 'key'> & { key?: string }, node = this.anyNode()): Promise<Answer> {
    return this.caller.ask(node, { key: this.key, ...call, path: this.path(call.path) });
  }

  /** Asks what must be answered well. */
  async must(call: Omit<Call, 'key'> & { key?: string }, node?: ServiceNode): Promise<Answer> {
    const answer = await this.ask(call, node);
    if (isGood(answer)) return answer;
    throw new Error(`${call.method} ${call.path}: ${answer.status} ${answer.text}`);
  }

  anyNode(): ServiceNode {
    return this.random.pick(this.nodes);
  }

  /** The services' connections to the database; null while it is away. */
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

  /** Ends everything; the nodes as an operator would end them. */
  async end(): Promise<void> {
    this.caller.close();
    const stops = this.nodes.map(async (node) => {
      const { isRunning } = node;
      this.verdict.expect(isRunning, 'a node ended by itself', `node ${node.index}`);
      const code = await node.stop();
      this.verdict.expect(code === 0, 'a node did not stop in order', `node ${node.index}`);
      for (const line of node.errors())
        this.verdict.fault('a node logged a fault of its own', line);
    });
    await Promise.all(stops);
    await this.server.stop();
  }

  async #populate(): Promise<void> {
    const node = this.nodes[0] as ServiceNode;
    const root = { kind: 'admin', method: 'POST', key: this.rootKey } as const;
    const body = { id: REALM, name: 'Soak' };
    await this.caller.ask(node, { ...root, path: '/api/v4/realms', body });
    const issue = { ...root, path: '/keys', body: { name: 'load', scopes: ['write'] } };
    this.key = (await this.must(issue, node)).json.key;
    const enrolments = this.writes.members.map(async (id) => {
      await this.must({ kind: 'admin', method: 'POST', path: '/members', body: { id } });
      const write = this.writes.change(id, FIRST_TOKENS);
      const answer = await this.must({ kind: 'write', ...write });
      this.writeLog.enter(write).note(answer, this.verdict);
    });
    await Promise.all(enrolments);
  }
}
