import { setTimeout as pause } from 'node:timers/promises';
import { isGood } from './caller.ts';
import { journalEvent } from './journal.ts';
import type { World } from './world.ts';

const PAGE = 500;
const PAUSE_MS = 50;

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
    this.#following = this.#follow();
  }

  /** Reads on to the end. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#following;
  }

  report(): void {
    this.#world.verdict.figure('followed in the feed, over all nodes', this.seen.length);
  }

  async #follow(): Promise<void> {
    for (;;) {
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
      await pause(PAUSE_MS);
    }
  }
}
