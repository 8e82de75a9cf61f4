import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { BotStatus, LinkedRealm } from 'realmkeep-discord';
import { connect } from './calls.ts';

/** TypeScript in a clone, JavaScript in the package. */
const HOST = import.meta.filename.endsWith('.ts') ? './host.ts' : './host.js';

/** Collected early, garbage stays small. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 };

/**
 * A thread that dies starts again, each time later: Discord resets the token of a bot that connects
 * a thousand times a day.
 */
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [5_000, 15 * 60_000];
const STOP_MS = 3_000;

export interface BotData {
  token: string;
  apiUrl?: string | undefined;
  serviceUrl: string;
  overHttp: boolean;
  /** Whether other processes may run the same bot. */
  hasLease: boolean;
}

/** What the thread may ask of whoever runs it. */
export type ParentCalls = {
  realms: (argument: null) => Promise<LinkedRealm[]>;
  isLeader: (argument: null) => Promise<boolean>;
  announced: (realmId: string) => Promise<number | null>;
  saveAnnounced: (progress: { realmId: string; seq: number }) => Promise<void>;
  onStatus: (status: BotStatus) => void;
  log: (line: LogLine) => void;
};

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: Record<string, unknown>;
}

export type BotCalls = {
  handle: (interaction: object) => Promise<object>;
  realmsChanged: (argument: null) => void;
  stop: (argument: null) => Promise<void>;
};

interface Running {
  worker: Worker;
  startedAt: number;
  call: ReturnType<typeof connect<BotCalls>>['remote'];
}

/** The bot in a thread of its own: what members do there takes no time of the service's thread. */
export class BotThread {
  readonly #data: BotData;
  readonly #parent: ParentCalls;
  #running: Running | null = null;
  #restart: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isStopped = false;

  constructor(data: BotData, parent: ParentCalls) {
    this.#data = data;
    this.#parent = parent;
  }

  start(): void {
    const worker = new Worker(new URL(HOST, import.meta.url), {
      workerData: this.#data,
      resourceLimits: RESOURCE_LIMITS,
    });
    const { remote, abandon } = connect<BotCalls>(worker, this.#parent);
    this.#running = { worker, startedAt: performance.now(), call: remote };
    let cause = new Error('the thread of the bot ended');
    worker.on('error', (error) => {
      cause = error as Error;
    });
    worker.on('exit', () => {
      abandon(cause);
      this.#onExit(cause);
    });
  }

  /** The response to an interaction that came over HTTP. */
  async handle(interaction: object): Promise<object> {
    if (!this.#running) throw new Error('the bot is not running');
    return this.#running.call('handle', interaction);
  }

  realmsChanged(): void {
    this.#running?.call('realmsChanged', null).catch(() => {});
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#restart);
    const running = this.#running;
    if (!running) return;
    const late = pause(STOP_MS, undefined, { ref: false });
    await Promise.race([running.call('stop', null).catch(() => {}), late]);
    await running.worker.terminate();
  }

  #onExit(cause: Error): void {
    const lived = performance.now() - (this.#running?.startedAt ?? 0);
    this.#running = null;
    if (this.#isStopped) return;
    if (lived > LAST_PAUSE_MS) this.#pauseMs = FIRST_PAUSE_MS;
    const fields = { reason: cause.message, againInSeconds: this.#pauseMs / 1000 };
    this.#parent.log({ level: 'error', message: 'the Discord app has failed', fields });
    this.#restart = setTimeout(() => this.start(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LAST_PAUSE_MS);
  }
}
