import { setTimeout as pause } from 'node:timers/promises';
import { audit } from './audit.ts';
import { Changes } from './changes.ts';
import { Connections } from './connections.ts';
import { Counts } from './counts.ts';
import { Feed } from './feed.ts';
import { Load } from './load.ts';
import { Outages } from './outages.ts';
import { Verdict } from './verdict.ts';
import { World } from './world.ts';

const PROGRESS_MS = 5_000;

/** Told what is going on, while it is. */
type Progress = (line: string) => void;

/** What happens while the load goes on. */
interface Story {
  title: string;
  /** Whether callers may be turned away. */
  mayBeDown: boolean;
  /** Answers what tells, at the end, what was seen. */
  happen: (world: World, tell: Progress) => Promise<() => void>;
}

/** Three nodes on one PostgreSQL, for so many seconds. */
export const threeNodes = (seconds: number): Story => ({
  title: `Three nodes, ${seconds} seconds of load`,
  mayBeDown: false,
  happen: async (world) => {
    const changes = new Changes(world);
    changes.start();
    await pause(seconds * 1_000);
    await changes.stop();
    return () => changes.report();
  },
});

/**
 * PostgreSQL killed and started again, so many times, then once in order. It stays away for up to
 * so long, and as long as its start takes.
 */
export const crashes = (kills: number, awayMs: number): Story => ({
  title: `PostgreSQL killed ${kills} times under load`,
  mayBeDown: true,
  happen: async (world, tell) => {
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
  },
});

/** Makes a world and lets the stories happen in it, one after another, each under load. */
export async function soak(seed: number, stories: Story[], tell: Progress): Promise<Verdict> {
  const verdict = new Verdict();
  const world = await World.make(seed, verdict);
  try {
    for (const story of stories) await underLoad(world, story, tell);
  } finally {
    await world.end();
  }
  return verdict;
}

async function underLoad(world: World, story: Story, tell: Progress): Promise<void> {
  const counts = new Counts(world.verdict, story.mayBeDown);
  const unwatch = world.caller.watch((answer) => counts.see(answer));
  tell(`${story.title}: it begins`);
  const progress = setInterval(() => tell(counts.line()), PROGRESS_MS);
  const feed = new Feed(world);
  const parts = [new Load(world), feed, new Connections(world)];
  const stop = async () => {
    for (const part of parts) await part.stop();
  };
  try {
    for (const part of parts) part.start();
    const report = await story.happen(world, tell).finally(stop);
    tell('comparing what was acknowledged with the journal');
    counts.report();
    for (const part of parts) part.report();
    report();
    await audit(world, feed.seen);
  } finally {
    clearInterval(progress);
    unwatch();
  }
}
