import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, isGood } from './caller.ts';
import type { Random } from './random.ts';
import type { ServiceNode } from './service-node.ts';
import type { World } from './world.ts';
import type { Entry, Write } from './write-log.ts';

const WORKERS = 48;
const READS = 0.3;
const RACES = 0.15;
/** Callers who are turned away and keep at it, with the same key; the others do something else. */
const PERSISTENT = 0.6;
/** Sooner than they are asked to: a service must bear that, and its return is noticed sooner. */
const IMPATIENCE_MS = 100;
const READ_WEIGHTS = { member: 35, transaction: 20, statement: 20, board: 15, rank: 5, list: 5 };

/** Callers who change and read the same few members through all nodes, as fast as they can. */
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
    this.#workers = this.#world.verdict.guard(Promise.all(workers));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#workers;
  }

  report(): void {
    this.#world.verdict.figure('one key on several nodes at once', this.#races);
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
    const entry = writeLog.enter(write);
    const isRace = random.isTrue(RACES);
    if (isRace) this.#races += 1;
    const asked = random.shuffled(nodes).slice(0, isRace ? random.between(2, nodes.length) : 1);
    await this.#send(entry, asked);
    const isPersistent = random.isTrue(PERSISTENT);
    while (entry.fate === 'turned away' && !this.#isOver) {
      await pause(IMPATIENCE_MS);
      if (!isPersistent) break;
      await this.#send(entry, [random.pick(nodes)]);
    }
    if (entry.fate === 'done') writes.learn(entry);
  }

  async #send(entry: Entry, nodes: ServiceNode[]): Promise<void> {
    const { verdict } = this.#world;
    const answers = await Promise.all(nodes.map((node) => askFor(this.#world, entry.write, node)));
    for (const answer of answers) entry.note(answer, verdict);
  }

  async #read(random: Random): Promise<void> {
    const answer = await this.#readOne(random, random.pick(this.#world.nodes));
    if (answer.status === 503) await pause(IMPATIENCE_MS);
  }

  async #readOne(random: Random, node: ServiceNode): Promise<Answer> {
    const { writes } = this.#world;
    const get = (kind: 'read' | 'view', path: string) =>
      this.#world.ask({ kind, method: 'GET', path }, node);
    const member = random.pick(writes.members);
    const known = writes.movements.at(-1);
    const kind = random.weighted(READ_WEIGHTS);
    if (kind === 'board') return this.#checkBoard(await get('view', '/leaderboard?limit=50'));
    if (kind === 'rank') return get('view', `/leaderboard/${member}?window=day`);
    if (kind === 'list') return get('read', '/members?limit=50');
    if (!known || kind === 'member') return get('read', `/members/${member}`);
    if (kind === 'transaction') return get('read', `/transactions/${known.seq}`);
    const [holder] = random.pick(known.postings);
    const statement = await get('view', `/members/${holder}/transactions?limit=5`);
    return this.#checkNewest(statement, known.seq);
  }

  /** What was acknowledged before it was asked for must be there, whichever node is asked. */
  #checkNewest(statement: Answer, seq: number): Answer {
    const isThere = !isGood(statement) || statement.json.items[0]?.transactionId >= seq;
    this.#world.verdict.expect(isThere, 'a statement was behind', `${seq}: ${statement.text}`);
    return statement;
  }

  #checkBoard(board: Answer): Answer {
    if (!isGood(board)) return board;
    const rows: { balance: number }[] = board.json.members;
    const isSorted = rows.every((row, index) => row.balance <= (rows[index - 1] ?? row).balance);
    const isWhole = rows.length === this.#world.writes.members.length;
    this.#world.verdict.expect(isSorted && isWhole, 'a board was wrong', board.text);
    return board;
  }
}

export const askFor = (world: World, write: Write, node?: ServiceNode): Promise<Answer> => {
  const { method, path, body, idempotencyKey } = write;
  return world.ask({ kind: 'write', method, path, body, idempotencyKey }, node);
};
