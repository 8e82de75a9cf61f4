import { type Answer, isGood, type Kind } from './caller.ts';
import type { ServiceNode } from './service-node.ts';
import { milliseconds } from './verdict.ts';
import type { World } from './world.ts';

/** By then every node must do everything again. */
const RECOVERY_MS = 5_000;
/** How long an answer may take while the database is known to be away: nobody is let hang. */
const REFUSAL_MS = 3_000;
/** Nobody waits longer than this, whatever happens. */
const HANG_MS = 8_000;
/** By then a node must have noticed that the database is away. */
const NOTICED_MS = 1_000;
/** Longer is not waited for: then it did not come back at all. */
const LOST_MS = 20_000;
const KINDS: readonly Kind[] = ['write', 'read', 'view'];

interface Outage {
  killedAt: number;
  returnedAt: number;
  /** When each node first did each kind of work again, after the return. */
  firsts: Map<string, number>;
  lastRefusal: number;
  longestRefusal: number;
  /** Callers who asked before the kill and were answered after the return, and the last of them. */
  underWay: number;
  longestUnderWay: number;
  tell: () => void;
}

const placeOf = (node: ServiceNode, kind: Kind): string => `node ${node.index} ${kind}`;

/** Watches what callers get while the database is away, and how soon all is well again. */
export class Outages {
  readonly #world: World;
  readonly #places: string[];
  readonly #past: Outage[] = [];
  #now: Outage | null = null;

  constructor(world: World) {
    this.#world = world;
    this.#places = world.nodes.flatMap((node) => KINDS.map((kind) => placeOf(node, kind)));
    world.caller.watch((answer) => this.#see(answer));
  }

  begin(): void {
    this.#now = {
      killedAt: performance.now(),
      returnedAt: Number.POSITIVE_INFINITY,
      firsts: new Map(),
      lastRefusal: 0,
      longestRefusal: 0,
      underWay: 0,
      longestUnderWay: 0,
      tell: () => undefined,
    };
    this.#past.push(this.#now);
  }

  /** The database answers again; waits until every node does all of its work. */
  async returned(): Promise<string> {
    const outage = this.#now;
    if (!outage) throw new Error('it was not away');
    outage.returnedAt = performance.now();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOST_MS);
      outage.tell = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const place of this.#places) {
      const isBack = outage.firsts.has(place);
      this.#world.verdict.expect(isBack, 'a node did not come back', place);
    }
    return told(outage);
  }

  report(): void {
    const { verdict } = this.#world;
    this.#past.forEach((outage, index) => {
      const isKill = index < this.#past.length - 1;
      verdict.figure(isKill ? `kill ${index + 1}` : 'restart in order', told(outage));
      const { lastRefusal, longestRefusal, longestUnderWay } = outage;
      const back = lastFirst(outage);
      verdict.expect(back <= RECOVERY_MS, 'a node took too long to recover', told(outage));
      verdict.expect(lastRefusal <= RECOVERY_MS, 'callers were turned away for too long');
      verdict.expect(longestRefusal <= REFUSAL_MS, 'a refusal took too long', told(outage));
      verdict.expect(longestUnderWay <= RECOVERY_MS, 'what was under way hung', told(outage));
    });
    verdict.expect(this.#past.length > 0, 'the database was never away');
  }

  #see(answer: Answer): void {
    const outage = this.#now;
    if (!outage) return;
    const { askedAt, tookMs, node, call, status } = answer;
    const detail = `${call.method} ${call.path} took ${milliseconds(tookMs)}: ${answer.text}`;
    this.#world.verdict.expect(tookMs <= HANG_MS, 'a caller was let hang', detail);
    const endedAt = askedAt + tookMs;
    const since = endedAt - outage.returnedAt;
    if (since < 0) {
      const isLater = askedAt > outage.killedAt + NOTICED_MS;
      if (isLater) outage.longestRefusal = Math.max(outage.longestRefusal, tookMs);
      return;
    }
    if (status === 503) outage.lastRefusal = Math.max(outage.lastRefusal, since);
    if (askedAt < outage.killedAt) outage.underWay += 1;
    if (askedAt < outage.returnedAt) {
      outage.longestUnderWay = Math.max(outage.longestUnderWay, since);
    }
    const place = placeOf(node, call.kind);
    if (!isGood(answer) || outage.firsts.has(place)) return;
    outage.firsts.set(place, since);
    if (this.#places.every((each) => outage.firsts.has(each))) outage.tell();
  }
}

const lastFirst = ({ firsts }: Outage): number => Math.max(0, ...firsts.values());

function told(outage: Outage): string {
  const { killedAt, returnedAt, firsts, lastRefusal, longestRefusal, underWay } = outage;
  const first = Math.min(...firsts.values());
  return (
    `away for ${milliseconds(returnedAt - killedAt)}, callers waited at most ` +
    `${milliseconds(longestRefusal)}, ${underWay} of those under way until its return; ` +
    `from there first success ${milliseconds(first)}, ` +
    `all work of all nodes ${milliseconds(lastFirst(outage))}, ` +
    `last 503 ${milliseconds(lastRefusal)}`
  );
}
