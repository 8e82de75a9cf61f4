import { readFileSync } from 'node:fs';

const SAMPLE_MS = 100;

/** Watches the largest resident memory of a process; Linux only. */
export class Memory {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  /** In bytes; null where it cannot be read. The last sample counts once the process is dead. */
  peak: number | null = null;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  stop(): number | null {
    clearInterval(this.#timer);
    this.#sample();
    return this.peak;
  }

  /** The kernel records the peak itself, so nothing between two samples is missed. */
  #sample(): void {
    try {
      const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
      const kib = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
      if (kib !== undefined) this.peak = Number(kib) * 1_024;
    } catch {
      // The process is dead, or this is not Linux.
    }
  }
}
