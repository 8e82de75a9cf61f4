import { Worker } from 'node:worker_threads';

const THREAD = import.meta.filename.endsWith('.ts')
  ? './checkpointer-thread.ts'
  : './checkpointer-thread.js';

/**
 * Moves a long log into its file while commits go on, in a thread of its own: SQLite itself does it
 * at the end of a commit, and all callers wait for up to 0.6 s meanwhile. If there can be no
 * thread, that is what happens.
 */
export class Checkpointer {
  readonly #path: string;
  readonly #pages: number;
  #isStarted = false;
  #worker: Worker | null = null;
  #exited: Promise<void> | null = null;

  constructor(path: string, pages: number) {
    this.#path = path;
    this.#pages = pages;
  }

  /** Most services never need it: they write too little. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const workerData: CheckpointerData = { path: this.#path, pages: this.#pages };
    try {
      const worker = new Worker(new URL(THREAD, import.meta.url), { workerData });
      worker.on('error', () => {}).unref();
      this.#worker = worker;
      this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    } catch {
      // The system may refuse another thread.
    }
  }

  /** It has closed the file then, so that whoever closes it last removes the log. */
  async stop(): Promise<void> {
    this.#worker?.ref();
    this.#worker?.postMessage('stop');
    await this.#exited;
  }
}

export interface CheckpointerData {
  path: string;
  /** The length of a log that is moved. */
  pages: number;
}
