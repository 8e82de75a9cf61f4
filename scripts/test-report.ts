import { finished } from 'node:stream/promises';
import type { run } from 'node:test';
import { spec } from 'node:test/reporters';

type Events = ReturnType<typeof run>;
interface TestEvent {
  type: string;
  data: { file?: string; success?: boolean; counts?: Record<string, number> };
}

export interface FileTimes {
  name: string;
  seconds: number;
  cpuSeconds: number;
}

function lineOf({ name, seconds, cpuSeconds }: FileTimes): string {
  const [all, cpu] = [seconds, cpuSeconds].map((each) => each.toFixed(1).padStart(5));
  return `${all} s, CPU ${cpu} s  ${name}`;
}

/** What the runner says of a run as a whole, which here is one process of many. */
const OF_A_RUN = ['test:summary', 'test:diagnostic', 'test:plan'];

/** Prints the tests of processes that run at the same time, one process after another. */
export class TestReport {
  readonly #printer = new spec();
  readonly #counts: Record<string, number> = {};
  readonly #files: FileTimes[] = [];
  /** The files during which a process ended, or was ended because it took too long. */
  readonly #unended: string[] = [];
  #isSuccess = true;

  constructor() {
    this.#printer.pipe(process.stdout);
  }

  /**
   * Adds the tests of some files. `times` returns the times of those that have ended, whose number
   * this returns.
   */
  async add(names: string[], events: Events, times: () => FileTimes[]): Promise<number> {
    const ofTests: TestEvent[] = [];
    for await (const event of events as AsyncIterable<TestEvent>) {
      const { type, data } = event;
      if (data.file !== undefined || !OF_A_RUN.includes(type)) ofTests.push(event);
      else if (type === 'test:summary') this.#count(data);
    }
    const ended = times();
    this.#files.push(...ended);
    for (const file of ended) this.#say(lineOf(file));
    for (const event of ofTests) this.#printer.write(event);
    this.#unended.push(...names.slice(ended.length, ended.length + 1));
    return ended.length;
  }

  /**
   * Prints what failed, and the slowest files: a file that takes much longer than its CPU time, if
   * it runs alone, waits for something. Returns whether all is well.
   */
  async end(slowest: number, serverCpuSeconds: number): Promise<boolean> {
    const bySeconds = this.#files.toSorted((one, other) => other.seconds - one.seconds);
    for (const file of bySeconds.slice(0, slowest)) this.#say(lineOf(file));
    const cpu = this.#files.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    this.#say(`CPU ${cpu.toFixed(0)} s, and PostgreSQL ${serverCpuSeconds.toFixed(0)} s`);
    for (const [what, count] of Object.entries(this.#counts)) this.#say(`${what} ${count}`);
    for (const name of this.#unended) this.#say(`FAILED: ${name} did not end`);
    this.#printer.end();
    await finished(this.#printer);
    return this.#isSuccess && this.#unended.length === 0;
  }

  #count({ success = false, counts = {} }: TestEvent['data']): void {
    this.#isSuccess &&= success;
    for (const [what, count] of Object.entries(counts)) {
      this.#counts[what] = (this.#counts[what] ?? 0) + count;
    }
  }

  #say(message: string): void {
    this.#printer.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } });
  }
}
