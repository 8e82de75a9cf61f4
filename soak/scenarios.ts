import { setTimeout as pause } from 'node:timers/promises';
import { audit } from './audit.ts';
import { Changes } from './changes.ts';
import { Connections } from './connections.ts';
import { Feed } from './feed.ts';
import { Load } from './load.ts';
import { Outages } from './outages.ts';
import { Tally } from './tally.ts';
import { Verdict } from './verdict.ts';
import { World } from './world.ts';

const PROGRESS_MS = 5_000;

/** Told what is going on, while it is. */
export type Progress = (line: string) => void;

/** Three nodes on one PostgreSQL, under a mixed load on the same members for so many seconds. */
export async function threeNodes(seed: number, seconds: number, tell: Progress): Promise<Verdict> {
  return underLoad(seed, tell, false, async (world) => {
    const changes = new Changes(world);
    changes.start();
    await pause(seconds * 1_000);
    await changes.stop();
    return () => changes.report();
  });
}

/**
 * PostgreSQL killed and started again under the same load, so many times, then once in order. It
 * stays away for up to so long, and as long as its start takes.
 */
export async function crashes(
  seed: number,
  { kills, awayMs }: { kills: number; awayMs: number },
  tell: Progress,
): Promise<Verdict> {
  return underLoad(seed, tell, true, async (world) => {
    const { server, random } = world;
    const outages = new Outages(world);
    for (let kill = 1; kill <= kills; kill++) {
      await pause(random.between(700, 2_000));
      outages.begin();
      // In turns: its first process, which takes the others along, or all of them at once.
      if (kill % 2 === 1) await server.signal('SIGKILL');
      else await server.crash();
      await pause(random.between(0, awayMs));
      await server.up();
      tell(`kill ${kill}: ${await outages.returned()}`);
    }
    // An orderly end tells every connection so, which a crash does not.
    outages.begin();
    await server.signal('SIGINT');
    await server.up();
    tell(`restart in order: ${await outages.returned()}`);
    return () => outages.report();
  });
}

/** Makes a world, lets the story happen under load, and compares everything at its end. */
async function underLoad(
  seed: number,
  tell: Progress,
  mayBeAway: boolean,
  story: (world: World) => Promise<() => void>,
): Promise<Verdict> {
  const verdict = new Verdict();
  const world = await World.make(seed, verdict);
  const tally = new Tally(verdict, mayBeAway);
  world.caller.watch((answer) => tally.see(answer));
  tell('three nodes are up; the load begins');
  const progress = setInterval(() => tell(tally.line()), PROGRESS_MS);
  try {
    const parts = [new Load(world), new Feed(world), new Connections(world)] as const;
    for (const part of parts) part.start();
    const report = await story(world);
    for (const part of parts) await part.stop();
    tell('comparing what was acknowledged with the journal');
    tally.report();
    for (const part of parts) part.report();
    report();
    await audit(world, parts[1].seen);
  } finally {
    clearInterval(progress);
    await world.end();
  }
  tell('done');
  return verdict;
}
