import { type Answer, isGood, type Kind } from './caller.ts';
import { milliseconds } from './findings.ts';
import type { ServiceNode } from './service-node.ts';
import type { World } from './world.ts';

/** Within this time every node must have recovered completely. */
const RECOVERY_MS = 5_000;
/** How long an answer may take while the database is known to be down. */
const REFUSAL_MS = 3_000;
/** How long any answer may take. */
const HANG_MS = 8_000;
/** Within this time a node must have noticed that the database is down. */
const NOTICED_MS = 1_000;
/** After this time a node counts as lost. */
const LOST_MS = 20_000;
const KINDS: readonly Kind[] = ['write', 'read'];

interface Outage {
  killedAt: number;
  returnedAt: number;
  /** The time from the return to the first success of each node and kind of call. */
  firsts: Map<string, number>;
  lastRefusal: number;
  longestRefusal: number;
  /** Calls sent before the kill and answered after the return, and the longest of them. */
  inFlight: number;
  longestInFlight: number;
  onRecovered: () => void;
}

const placeOf = (node: ServiceNode, kind: Kind): string => `node ${node.index} ${kind}`;

/** Measures what callers see while the database is down, and how soon the nodes recover. */
export class Outages {
  readonly #world: World;
  readonly #places: string[];
  readonly #past: Outage[] = [];
  #now: Outage | null = null;

  constructor(world: World) {
    this.#world = world;
    this.#places = world.nodes.flatMap((node) => KINDS.map((kind) => placeOf(node, kind)));
    world.caller.watch((answer) => this.#measure(answer));
  }

  begin(): void {
    this.#now = {
      killedAt: performance.now(),
      returnedAt: Number.POSITIVE_INFINITY,
      firsts: new Map(),
      lastRefusal: 0,
      longestRefusal: 0,
      inFlight: 0,
      longestInFlight: 0,
      onRecovered: () => undefined,
    };
    this.#past.push(this.#now);
  }

  /** The database is up again; waits until every node has recovered. */
  async returned(): Promise<string> {
    const outage = this.#now;
    if (!outage) throw new Error('there was no outage');
    outage.returnedAt = performance.now();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOST_MS);
      outage.onRecovered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const place of this.#places) {
      const isBack = outage.firsts.has(place);
      this.#world.findings.expect(isBack, 'a node did not recover', place);
    }
    return summaryOf(outage);
  }

  report(): void {
    const { findings } = this.#world;
    this.#past.forEach((outage, index) => {
      const isKill = index < this.#past.length - 1;
      findings.figure(isKill ? `kill ${index + 1}` : 'orderly restart', summaryOf(outage));
      const { lastRefusal, longestRefusal, longestInFlight } = outage;
      const back = lastFirst(outage);
      findings.expect(back <= RECOVERY_MS, 'a node took too long to recover', summaryOf(outage));
      findings.expect(lastRefusal <= RECOVERY_MS, 'callers got 503 for too long');
      findings.expect(longestRefusal <= REFUSAL_MS, 'a refusal took too long', summaryOf(outage));
      findings.expect(longestInFlight <= RECOVERY_MS, 'a call in flight hung', summaryOf(outage));
    });
    findings.expect(this.#past.length > 0, 'the database was never down');
  }

  #measure(answer: Answer): void {
    const outage = this.#now;
    if (!outage) return;
    const { sentAt, tookMs, node, call, status } = answer;
    const detail = `${call.method} ${call.path} took ${milliseconds(tookMs)}: ${answer.text}`;
    this.#world.findings.expect(tookMs <= HANG_MS, 'a call hung', detail);
    const endedAt = sentAt + tookMs;
    const since = endedAt - outage.returnedAt;
    if (since < 0) {
      const isNoticed = sentAt > outage.killedAt + NOTICED_MS;
      if (isNoticed) outage.longestRefusal = Math.max(outage.longestRefusal, tookMs);
      return;
    }
    if (status === 503) outage.lastRefusal = Math.max(outage.lastRefusal, since);
    if (sentAt < outage.killedAt) outage.inFlight += 1;
    if (sentAt < outage.returnedAt) {
      outage.longestInFlight = Math.max(outage.longestInFlight, since);
    }
    const place = placeOf(node, call.kind);
    if (!isGood(answer) || outage.firsts.has(place)) return;
    outage.firsts.set(place, since);
    if (this.#places.every((each) => outage.firsts.has(each))) outage.onRecovered();
  }
}

const lastFirst = ({ firsts }: Outage): number => Math.max(0, ...firsts.values());

function summaryOf(outage: Outage): string {
  const { killedAt, returnedAt, firsts, lastRefusal, longestRefusal, inFlight } = outage;
  const first = Math.min(...firsts.values());
  return (
    `down for ${milliseconds(returnedAt - killedAt)}, callers waited at most ` +
    `${milliseconds(longestRefusal)}, ${inFlight} calls in flight until the return; ` +
    `then first success after ${milliseconds(first)}, ` +
    `all calls on all nodes ${milliseconds(lastFirst(outage))}, ` +
    `last 503 ${milliseconds(lastRefusal)}`
  );
}
