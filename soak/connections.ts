import type { World } from './world.ts';

/** As docs/postgres.md promises of each process. */
const MOST_OF_A_NODE = 12;
const LOOK_MS = 500;

/** Counts, now and then, how many connections to the database the nodes keep. */
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
    }, LOOK_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
  }

  report(): void {
    const { verdict, nodes } = this.#world;
    const isFew = this.#most <= MOST_OF_A_NODE * nodes.length;
    verdict.expect(isFew, 'the nodes took more connections than promised', String(this.#most));
    verdict.figure('most connections of all nodes', this.#most);
  }
}
