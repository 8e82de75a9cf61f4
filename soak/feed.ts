import { setTimeout as pause } from 'node:timers/promises';
import { isGood } from './caller.ts';
import { journalEvent } from './journal.ts';
import type { World } from './world.ts';

const PAGE = 500;
const PAUSE_MS = 50;
/** Refusals in a row, after the load has ended, before the feed is given up. */
const MAX_REFUSALS = 200;

/** Follows the event feed, now on this node, now on that: it must miss and repeat nothing. */
export class Feed {
  /** What came, as text, in order. */
  readonly seen: string[] = [];
  readonly #world: World;
  #isOver = false;
  #following: Promise<void> = Promise.resolve();

  constructor(world: World) {
    this.#world = world;
  }

  start(): void {
    this.#following = this.#world.verdict.guard(this.#project());
  }

  /** Reads on to the end. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#following;
  }

  report(): void {
    this.#world.verdict.figure('followed in the feed, over all nodes', this.seen.length);
  }

  async #project(): Promise<void> {
    for (let refusals = 0; refusals < MAX_REFUSALS; ) {
      const isLastRound = this.#isOver;
      const path = `/events?after=${this.seen.length}&limit=${PAGE}`;
      const answer = await this.#world.ask({ kind: 'read', method: 'GET', path });
      const events = isGood(answer) ? answer.json.items.map(journalEvent) : [];
      for (const { seq, text } of events) {
        const isNext = seq === this.seen.length + 1;
        this.#world.verdict.expect(isNext, 'the feed has a gap', `after ${this.seen.length}`);
        this.seen.push(text);
      }
      if (events.length === PAGE) continue;
      if (isLastRound && isGood(answer)) return;
      if (isLastRound) refusals += 1;
      await pause(PAUSE_MS);
    }
    throw new Error('no node shows the feed any more');
  }
}
