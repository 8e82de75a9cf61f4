import { setTimeout as pause } from 'node:timers/promises';
import { isGood } from './caller.ts';
import { journalEvent } from './journal.ts';
import type { World } from './world.ts';

const PAGE = 500;
const PAUSE_MS = 50;
/** The number of refusals in a row, after the load, before the test gives up. */
const MAX_REFUSALS = 200;

/** Reads the event feed on alternating nodes: nothing may be missing or repeated. */
export class Feed {
  /** The events as text, in order. */
  readonly seen: string[] = [];
  readonly #world: World;
  #isOver = false;
  #reading: Promise<void> = Promise.resolve();

  constructor(world: World) {
    this.#world = world;
  }

  start(): void {
    this.#reading = this.#world.findings.guard(this.#read());
  }

  /** Reads to the end. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#reading;
  }

  report(): void {
    this.#world.findings.figure('events read from the feed, over all nodes', this.seen.length);
  }

  async #read(): Promise<void> {
    for (let refusals = 0; refusals < MAX_REFUSALS; ) {
      const isFinal = this.#isOver;
      const path = `/events?after=${this.seen.length}&limit=${PAGE}`;
      const answer = await this.#world.send({ kind: 'read', method: 'GET', path });
      const events = isGood(answer) ? answer.json.items.map(journalEvent) : [];
      for (const { seq, text } of events) {
        const isNext = seq === this.seen.length + 1;
        this.#world.findings.expect(isNext, 'the feed has a gap', `after ${this.seen.length}`);
        this.seen.push(text);
      }
      if (events.length === PAGE) continue;
      if (isFinal && isGood(answer)) return;
      if (isFinal) refusals += 1;
      await pause(PAUSE_MS);
    }
    throw new Error('no node serves the feed');
  }
}
