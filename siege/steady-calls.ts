import { Agent, request } from 'node:http';

const EVERY_MS = 50;
/** A call without an answer after this time has failed. */
const PATIENCE_MS = 10_000;

export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** How a call ended: with a status, or with the reason why there is none. */
export interface Ending {
  status: number | null;
  reason: string;
}

/** A call that was measured. */
export interface Timed extends Ending {
  ms: number;
  /** How much of that had passed before this process sent the call. */
  lateMs: number;
}

/**
 * Makes a call every 50 ms on connections of its own, whatever has become of the earlier ones, and
 * counts the time from when it was due: a service that hangs delays every call that is due
 * meanwhile, not only one.
 */
export class SteadyCalls {
  readonly #url: URL;
  readonly #next: () => Call;
  readonly #onEnd: (call: Call, ending: Ending) => void;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #pending = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #sample: Timed[] | null = null;

  constructor(
    url: URL,
    next: () => Call,
    onEnd: (call: Call, ending: Ending) => void = () => undefined,
  ) {
    this.#url = url;
    this.#next = next;
    this.#onEnd = onEnd;
  }

  start(): void {
    let due = performance.now();
    const tick = (): void => {
      for (; due <= performance.now(); due += EVERY_MS) this.#make(due);
      this.#timer = setTimeout(tick, Math.max(1, due - performance.now()));
    };
    tick();
  }

  /** Measures the calls that are due from now on. Returns a function that ends the sample. */
  measure(): () => Promise<Timed[]> {
    const sample: Timed[] = [];
    this.#sample = sample;
    return async () => {
      this.#sample = null;
      await Promise.all(this.#pending);
      return sample;
    };
  }

  /** Makes no more calls and waits for the answers to those already made. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.#pending);
    this.#agent.destroy();
  }

  #make(due: number): void {
    const sample = this.#sample;
    const lateMs = performance.now() - due;
    const call = this.#next();
    const made = this.send(call).then((ending) => {
      this.#pending.delete(made);
      sample?.push({ ...ending, ms: performance.now() - due, lateMs });
      this.#onEnd(call, ending);
    });
    this.#pending.add(made);
  }

  /** Makes one call at once. */
  send({ method, path, headers, body }: Call): Promise<Ending> {
    const { hostname: host, port } = this.#url;
    return new Promise((resolve) => {
      const fail = (error: Error): void => resolve({ status: null, reason: error.message });
      const outgoing = request({ host, port, path, method, headers, agent: this.#agent });
      const giveUp = (): void => void outgoing.destroy(new Error('no answer within 10 s'));
      const timer = setTimeout(giveUp, PATIENCE_MS);
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.on('error', fail);
      outgoing.on('response', (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', fail);
        incoming.on('end', () => {
          const status = incoming.statusCode ?? null;
          const isGood = status !== null && status < 300;
          resolve({ status, reason: isGood ? '' : reasonIn(Buffer.concat(parts).toString()) });
        });
      });
      outgoing.end(body);
    });
  }
}

/** The code of a problem; the answer itself if it is none. */
function reasonIn(text: string): string {
  return /"code":"([\w-]+)"/.exec(text)?.[1] ?? text.slice(0, 100);
}
