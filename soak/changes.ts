import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Call } from './caller.ts';
import { askFor } from './load.ts';
import type { ServiceNode } from './service-node.ts';
import { milliseconds } from './verdict.ts';
import type { World } from './world.ts';
import { Writes } from './writes.ts';

/** Within this, every node must act on what another one was told. */
const LIMIT_MS = 2_000;
/** Between two rounds, so that members are not frozen all the time. */
const REST_MS = 300;
const MOST_TOKENS = 500;

type Change = 'freeze' | 'unfreeze' | 'bound set' | 'bound lifted' | 'key issued' | 'key revoked';

/**
 * Again and again: freezes a member, sets a bound, issues and revokes a key through one node, and
 * looks how long the others take to act on it.
 */
export class Changes {
  readonly #world: World;
  readonly #writes: Writes;
  readonly #member: string;
  readonly #longest = new Map<Change, number>();
  #rounds = 0;
  #isOver = false;
  #running: Promise<void> = Promise.resolve();

  constructor(world: World) {
    this.#world = world;
    this.#writes = new Writes(world.writes.members, 'changes');
    this.#member = world.writes.members[0] as string;
  }

  start(): void {
    this.#running = this.#world.verdict.guard(this.#run());
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  report(): void {
    const longest = Array.from(this.#longest, ([what, ms]) => `${what} ${milliseconds(ms)}`);
    this.#world.verdict.figure('changes seen by all nodes within', longest.join(', '));
    this.#world.verdict.figure('rounds of such changes', this.#rounds);
    this.#world.verdict.expect(this.#rounds > 0, 'no change was looked at');
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await this.#freezing();
      await this.#bounding();
      await this.#revoking();
      this.#rounds += 1;
      await pause(REST_MS);
    }
  }

  async #freezing(): Promise<void> {
    const path = `/members/${this.#member}`;
    for (const [change, status, code] of [
      ['freeze', 'frozen', 'member-frozen'],
      ['unfreeze', 'active', ''],
    ] as const) {
      await this.#root({ method: 'PATCH', path, body: { status } });
      await this.#seen(change, (node) => this.#credit(node, 1), code);
    }
  }

  async #bounding(): Promise<void> {
    for (const [change, maxTokensPerRequest, code] of [
      ['bound set', MOST_TOKENS, 'too-many-tokens'],
      ['bound lifted', null, ''],
    ] as const) {
      const body = { settings: { maxTokensPerRequest } };
      await this.#root({ method: 'PATCH', path: '', body });
      await this.#seen(change, (node) => this.#credit(node, MOST_TOKENS + 1), code);
    }
  }

  async #revoking(): Promise<void> {
    const body = { name: 'short-lived', scopes: ['read'] };
    const { id, key } = (await this.#root({ method: 'POST', path: '/keys', body })).json;
    const path = `/members/${this.#member}`;
    const use = (node: ServiceNode) =>
      this.#world.ask({ kind: 'admin', method: 'GET', path, key }, node);
    await this.#seen('key issued', use, '');
    await this.#root({ method: 'DELETE', path: `/keys/${id}` });
    await this.#seen('key revoked', use, 'unauthorized');
  }

  #root(call: Omit<Call, 'key' | 'kind'>): Promise<Answer> {
    return this.#world.must({ kind: 'admin', key: this.#world.rootKey, ...call });
  }

  /** Each that is accepted is a write like any other, so it is in the writeLog. */
  async #credit(node: ServiceNode, tokens: number): Promise<Answer> {
    const { writeLog, verdict } = this.#world;
    const entry = writeLog.enter(this.#writes.change(this.#member, tokens));
    const answer = await askFor(this.#world, entry.write, node);
    entry.note(answer, verdict);
    return answer;
  }

  /** Tries on every node until it answers with this code; '' is a good answer. */
  async #seen(
    change: Change,
    attempt: (node: ServiceNode) => Promise<Answer>,
    code: string,
  ): Promise<void> {
    const since = performance.now();
    const times = this.#world.nodes.map(async (node) => {
      for (;;) {
        const answer = await attempt(node);
        // An answer tells how it stood at some moment since it was asked.
        const tookMs = answer.askedAt - since;
        if (answer.code === code) return tookMs;
        if (tookMs > LIMIT_MS) {
          this.#world.verdict.fault(`a ${change} was not seen in time`, answer.text);
          return tookMs;
        }
      }
    });
    const longest = Math.max(this.#longest.get(change) ?? 0, ...(await Promise.all(times)));
    this.#longest.set(change, longest);
  }
}
