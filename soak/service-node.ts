import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const PROGRAM = join(import.meta.dirname, '../bin/realmkeep.mjs');
/** Compiled code is kept between starts, which halves the time of each. */
const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/realmkeep-tests');
const ERROR_LEVEL = 50;

type Child = ChildProcessByStdio<null, Readable, Readable>;

const alive = new Set<Child>();

// The last resort, for an end that nobody foresaw.
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** One `realmkeep serve` in a process of its own. */
export class ServiceNode {
  readonly index: number;
  readonly url: URL;
  readonly #child: Child;
  readonly #logged: () => string;

  private constructor(index: number, url: URL, child: Child, logged: () => string) {
    this.index = index;
    this.url = url;
    this.#child = child;
    this.#logged = logged;
  }

  static async start(index: number, databaseUrl: string, rootKey: string): Promise<ServiceNode> {
    const child = launch(['serve', '--json'], databaseUrl, { ROOT_KEY: rootKey });
    const logged = gather(child.stderr);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`node ${index} ended with ${code}: ${logged()}`);
    });
    // Its end may be wanted: then nobody waits for its address.
    ended.catch(() => undefined);
    const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
    return new ServiceNode(index, new URL(JSON.parse(String(line)).url), child, logged);
  }

  /** Whether it is still the process that was started. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it logged as its own fault. */
  errors(): string[] {
    const lines = this.#logged().split('\n');
    return lines.filter((line) => line !== '' && !isHarmless(line));
  }

  /** As an operator would; answers how it ended. */
  async stop(): Promise<number | null> {
    if (!this.isRunning) return this.#child.exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const [code] = await ended;
    return code;
  }
}

/** Runs a command of the command line; answers its exit code and what it printed. */
export async function realmkeep(
  words: string[],
  databaseUrl: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = launch(words, databaseUrl);
  const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
  const [code] = await once(child, 'close');
  return { code, stdout: stdout(), stderr: stderr() };
}

function launch(words: string[], databaseUrl: string, more: Record<string, string> = {}): Child {
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    // More is asked for here than a community would be let.
    RATE_LIMIT: 'off',
    ...more,
  };
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [PROGRAM, ...words], { env, stdio });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}

function gather(stream: Readable): () => string {
  const parts: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => parts.push(text));
  return () => parts.join('');
}

function isHarmless(line: string): boolean {
  try {
    return JSON.parse(line).level < ERROR_LEVEL;
  } catch {
    // What is no line of the log is the last word of a process that broke.
    return false;
  }
}
