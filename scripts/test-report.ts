import { finished } from 'node:stream/promises';
import type { run } from 'node:test';
import { spec } from 'node:test/reporters';

type Events = ReturnType<typeof run>;
interface TestEvent {
  type: string;
  data: { file?: string; success?: boolean; counts?: Record<string, number> };
}

interface TestFile {
  name: string;
  seconds: number;
  cpuSeconds: number;
}

function lineOf({ name, seconds, cpuSeconds }: TestFile): string {
  const [all, cpu] = [seconds, cpuSeconds].map((each) => each.toFixed(1).padStart(5));
  return `${all} s, CPU ${cpu} s  ${name}`;
}

/** What the runner says of a run as a whole, which here is one file of many. */
const OF_A_RUN = ['test:summary', 'test:diagnostic', 'test:plan'];

/** Prints the tests of files that run at the same time, one file after another. */
export class TestReport {
  readonly #printer = new spec();
  readonly #counts: Record<string, number> = {};
  readonly #files: TestFile[] = [];
  #isSuccess = true;

  constructor() {
    this.#printer.pipe(process.stdout);
  }

  async add(name: string, events: Events, cpuSeconds: () => number): Promise<void> {
    const start = performance.now();
    const ofTests: TestEvent[] = [];
    for await (const event of events as AsyncIterable<TestEvent>) {
      const { type, data } = event;
      if (data.file !== undefined || !OF_A_RUN.includes(type)) ofTests.push(event);
      else if (type === 'test:summary') this.#count(data);
    }
    const seconds = (performance.now() - start) / 1_000;
    const file = { name, seconds, cpuSeconds: cpuSeconds() };
    this.#files.push(file);
    this.#say(lineOf(file));
    for (const event of ofTests) this.#printer.write(event);
  }

  /**
   * Prints what failed, and the slowest files: a file that takes much longer than its CPU time, if
   * it runs alone, waits for something. Returns whether all is well.
   */
  async end(slowest: number): Promise<boolean> {
    const bySeconds = this.#files.toSorted((one, other) => other.seconds - one.seconds);
    for (const file of bySeconds.slice(0, slowest)) this.#say(lineOf(file));
    const cpu = this.#files.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    this.#say(`CPU ${cpu.toFixed(0)} s, without the PostgreSQL server`);
    for (const [what, count] of Object.entries(this.#counts)) this.#say(`${what} ${count}`);
    this.#printer.end();
    await finished(this.#printer);
    return this.#isSuccess;
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
