import type { World } from './world.ts';

/** The limit per process that docs/postgres.md states. */
const MAX_PER_NODE = 10;
const INTERVAL_MS = 500;

/** Samples how many connections to the database the nodes have open. */
export class Connections {
  readonly #world: World;
  #timer: NodeJS.Timeout | null = null;
  #most = 0;

  constructor(world: World) {
    this.#world = world;
  }

  start(): void {
    this.#timer = setInterval(async () => {
      this.#most = Math.max(this.#most, (await this.#world.connections()) ?? 0);
    }, INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
  }

  report(): void {
    const { findings, nodes } = this.#world;
    const isFew = this.#most <= MAX_PER_NODE * nodes.length;
    findings.expect(isFew, 'the nodes opened more connections than documented', String(this.#most));
    findings.figure('most connections of all nodes', this.#most);
  }
}
