import { setTimeout as pause } from 'node:timers/promises';
import { audit } from './audit.ts';
import { Changes } from './changes.ts';
import { Connections } from './connections.ts';
import { Counts } from './counts.ts';
import { Feed } from './feed.ts';
import { Findings } from './findings.ts';
import { Load } from './load.ts';
import { Outages } from './outages.ts';
import { World } from './world.ts';

const PROGRESS_MS = 5_000;

/** Reported what is going on, while it is. */
type Log = (line: string) => void;

/** What happens under load. */
interface Scenario {
  title: string;
  /** Whether the database may be down, so that 503 is allowed. */
  mayBeDown: boolean;
  /** Returns a function that reports the results at the end. */
  run: (world: World, log: Log) => Promise<() => void>;
}

/** Three nodes on one PostgreSQL. */
export const threeNodes = (seconds: number): Scenario => ({
  title: `Three nodes, ${seconds} seconds of load`,
  mayBeDown: false,
  run: async (world) => {
    const changes = new Changes(world);
    changes.start();
    await pause(seconds * 1_000);
    await changes.stop();
    return () => changes.report();
  },
});

/**
 * PostgreSQL is killed and started again several times, then restarted once in order. It stays down
 * for up to `awayMs` plus the time of its start.
 */
export const crashes = (kills: number, awayMs: number): Scenario => ({
  title: `PostgreSQL killed ${kills} times under load`,
  mayBeDown: true,
  run: async (world, log) => {
    const { server, random } = world;
    const outages = new Outages(world);
    for (let kill = 1; kill <= kills; kill++) {
      await pause(random.between(700, 2_000));
      outages.begin();
      // Alternately its main process, which takes the others with it, or all of them at once.
      if (kill % 2 === 1) await server.signal('SIGKILL');
      else await server.crash();
      await pause(random.between(0, awayMs));
      await server.up();
      log(`kill ${kill}: ${await outages.returned()}`);
    }
    // Unlike a crash, an orderly stop notifies every connection.
    outages.begin();
    await server.signal('SIGINT');
    await server.up();
    log(`orderly restart: ${await outages.returned()}`);
    return () => outages.report();
  },
});

/** Runs the scenarios one after another, each under load. */
export async function soak(seed: number, scenarios: Scenario[], log: Log): Promise<Findings> {
  const findings = new Findings();
  const world = await World.make(seed, findings);
  try {
    for (const scenario of scenarios) await underLoad(world, scenario, log);
  } finally {
    await world.end();
  }
  return findings;
}

async function underLoad(world: World, scenario: Scenario, log: Log): Promise<void> {
  const counts = new Counts(world.findings, scenario.mayBeDown);
  const unwatch = world.caller.watch((answer) => counts.add(answer));
  log(`${scenario.title}: started`);
  const progress = setInterval(() => log(counts.line()), PROGRESS_MS);
  const feed = new Feed(world);
  const parts = [new Load(world), feed, new Connections(world)];
  const stop = async () => {
    for (const part of parts) await part.stop();
  };
  try {
    for (const part of parts) part.start();
    const report = await scenario.run(world, log).finally(stop);
    log('comparing what was acknowledged with the journal');
    counts.report();
    for (const part of parts) part.report();
    report();
    await audit(world, feed.seen);
  } finally {
    clearInterval(progress);
    unwatch();
  }
}
