import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, isGood } from './caller.ts';
import type { Random } from './random.ts';
import type { ServiceNode } from './service-node.ts';
import type { World } from './world.ts';
import type { Entry, Write } from './write-log.ts';

const WORKERS = 48;
const READS = 0.3;
const RACES = 0.15;
/** The share of callers that retry with the same key while the service is unavailable. */
const PERSISTENT = 0.6;
/** Less than Retry-After: a service must bear that, and its recovery is noticed sooner. */
const RETRY_MS = 100;
const READ_WEIGHTS = {
  member: 35,
  transaction: 20,
  statement: 20,
  leaderboard: 15,
  rank: 5,
  list: 5,
};

/** Callers that change and read the same few members through all nodes, without a pause. */
export class Load {
  readonly #world: World;
  #isOver = false;
  #workers: Promise<void> = Promise.resolve();
  #races = 0;

  constructor(world: World) {
    this.#world = world;
  }

  start(): void {
    const workers = Array.from({ length: WORKERS }, () => this.#work(this.#world.random.fork()));
    this.#workers = this.#world.findings.guard(Promise.all(workers));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#workers;
  }

  report(): void {
    this.#world.findings.figure('one key on several nodes at once', this.#races);
  }

  async #work(random: Random): Promise<void> {
    while (!this.#isOver) {
      if (random.isTrue(READS)) await this.#read(random);
      else await this.#write(random);
    }
  }

  async #write(random: Random): Promise<void> {
    const { writes, writeLog, nodes } = this.#world;
    const write = writes.next(random);
    const entry = writeLog.add(write);
    const isRace = random.isTrue(RACES);
    if (isRace) this.#races += 1;
    const targets = random.shuffled(nodes).slice(0, isRace ? random.between(2, nodes.length) : 1);
    await this.#send(entry, targets);
    const isPersistent = random.isTrue(PERSISTENT);
    while (entry.fate === 'unavailable' && !this.#isOver) {
      await pause(RETRY_MS);
      if (!isPersistent) break;
      await this.#send(entry, [random.pick(nodes)]);
    }
    if (entry.fate === 'done') writes.learn(entry);
  }

  async #send(entry: Entry, nodes: ServiceNode[]): Promise<void> {
    const { findings } = this.#world;
    const answers = await Promise.all(
      nodes.map((node) => sendWrite(this.#world, entry.write, node)),
    );
    for (const answer of answers) entry.add(answer, findings);
  }

  async #read(random: Random): Promise<void> {
    const answer = await this.#readOne(random, random.pick(this.#world.nodes));
    if (answer.status === 503) await pause(RETRY_MS);
  }

  async #readOne(random: Random, node: ServiceNode): Promise<Answer> {
    const { writes } = this.#world;
    const get = (path: string) => this.#world.send({ kind: 'read', method: 'GET', path }, node);
    const member = random.pick(writes.members);
    const known = writes.movements.at(-1);
    const kind = random.weighted(READ_WEIGHTS);
    if (kind === 'leaderboard') return this.#checkLeaderboard(await get('/leaderboard?limit=50'));
    if (kind === 'rank') return get(`/leaderboard/${member}?window=day`);
    if (kind === 'list') return get('/members?limit=50');
    if (!known || kind === 'member') return get(`/members/${member}`);
    if (kind === 'transaction') return get(`/transactions/${known.seq}`);
    const [holder] = random.pick(known.postings);
    const statement = await get(`/members/${holder}/transactions?limit=5`);
    return this.#checkNewest(statement, known.seq);
  }

  /** A write acknowledged before the call must be in the statement of any node. */
  #checkNewest(statement: Answer, seq: number): Answer {
    const isCurrent = !isGood(statement) || statement.json.items[0]?.transactionId >= seq;
    this.#world.findings.expect(isCurrent, 'a statement lags', `${seq}: ${statement.text}`);
    return statement;
  }

  #checkLeaderboard(leaderboard: Answer): Answer {
    if (!isGood(leaderboard)) return leaderboard;
    const rows: { balance: number }[] = leaderboard.json.members;
    const isSorted = rows.every((row, index) => row.balance <= (rows[index - 1] ?? row).balance);
    const isComplete = rows.length === this.#world.writes.members.length;
    this.#world.findings.expect(isSorted && isComplete, 'a leaderboard is wrong', leaderboard.text);
    return leaderboard;
  }
}

export const sendWrite = (world: World, write: Write, node?: ServiceNode): Promise<Answer> => {
  const { method, path, body, idempotencyKey } = write;
  return world.send({ kind: 'write', method, path, body, idempotencyKey }, node);
};
