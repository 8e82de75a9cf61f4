import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Call } from './caller.ts';
import { milliseconds } from './findings.ts';
import { sendWrite } from './load.ts';
import type { ServiceNode } from './service-node.ts';
import type { World } from './world.ts';
import { Writes } from './writes.ts';

/** Every node must act on a change made through another node within this time. */
const LIMIT_MS = 2_000;
/** The pause between two rounds, so that members are not frozen all the time. */
const PAUSE_MS = 300;
const MAX_TOKENS = 500;

type Change = 'freeze' | 'unfreeze' | 'limit set' | 'limit removed' | 'key issued' | 'key revoked';

/**
 * Repeatedly freezes a member, sets a limit, and issues and revokes a key through one node, and
 * measures how long the others take to act on it.
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
    this.#running = this.#world.findings.guard(this.#run());
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  report(): void {
    const longest = Array.from(this.#longest, ([what, ms]) => `${what} ${milliseconds(ms)}`);
    this.#world.findings.figure('changes seen by all nodes within', longest.join(', '));
    this.#world.findings.figure('rounds of such changes', this.#rounds);
    this.#world.findings.expect(this.#rounds > 0, 'no change was measured');
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await this.#freezing();
      await this.#limiting();
      await this.#revoking();
      this.#rounds += 1;
      await pause(PAUSE_MS);
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

  async #limiting(): Promise<void> {
    for (const [change, maxTokensPerRequest, code] of [
      ['limit set', MAX_TOKENS, 'too-many-tokens'],
      ['limit removed', null, ''],
    ] as const) {
      const body = { settings: { maxTokensPerRequest } };
      await this.#root({ method: 'PATCH', path: '', body });
      await this.#seen(change, (node) => this.#credit(node, MAX_TOKENS + 1), code);
    }
  }

  async #revoking(): Promise<void> {
    const body = { name: 'short-lived', scopes: ['read'] };
    const { id, key } = (await this.#root({ method: 'POST', path: '/keys', body })).json;
    const path = `/members/${this.#member}`;
    const use = (node: ServiceNode) =>
      this.#world.send({ kind: 'admin', method: 'GET', path, key }, node);
    await this.#seen('key issued', use, '');
    await this.#root({ method: 'DELETE', path: `/keys/${id}` });
    await this.#seen('key revoked', use, 'unauthorized');
  }

  #root(call: Omit<Call, 'key' | 'kind'>): Promise<Answer> {
    return this.#world.must({ kind: 'admin', key: this.#world.rootKey, ...call });
  }

  /** An accepted credit is a write like any other, so it is in the log. */
  async #credit(node: ServiceNode, tokens: number): Promise<Answer> {
    const { writeLog, findings } = this.#world;
    const entry = writeLog.add(this.#writes.change(this.#member, tokens));
    const answer = await sendWrite(this.#world, entry.write, node);
    entry.add(answer, findings);
    return answer;
  }

  /** Tries on every node until it answers with this code; '' means success. */
  async #seen(
    change: Change,
    attempt: (node: ServiceNode) => Promise<Answer>,
    code: string,
  ): Promise<void> {
    const since = performance.now();
    const times = this.#world.nodes.map(async (node) => {
      for (;;) {
        const answer = await attempt(node);
        // An answer shows the state at some moment after the call was sent.
        const tookMs = answer.sentAt - since;
        if (answer.code === code) return tookMs;
        if (tookMs > LIMIT_MS) {
          this.#world.findings.fault(`a ${change} was not seen in time`, answer.text);
          return tookMs;
        }
      }
    });
    const longest = Math.max(this.#longest.get(change) ?? 0, ...(await Promise.all(times)));
    this.#longest.set(change, longest);
  }
}
