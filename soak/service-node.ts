import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const PROGRAM = join(import.meta.dirname, '../bin/realmkeep.mjs');
const ERROR_LEVELS = ['error', 'fatal'];

type Child = ChildProcessByStdio<null, Readable, Readable>;

const alive = new Set<Child>();

// The last resort, if the process exits unexpectedly.
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** One `realmkeep serve` in its own process. */
export class ServiceNode {
  readonly index: number;
  readonly url: URL;
  readonly #child: Child;
  readonly #log: () => string;

  private constructor(index: number, url: URL, child: Child, log: () => string) {
    this.index = index;
    this.url = url;
    this.#child = child;
    this.#log = log;
  }

  static async start(
    index: number,
    databaseUrl: string,
    rootKey: string,
    settings: Record<string, string> = {},
  ): Promise<ServiceNode> {
    const child = launch(['serve', '--json'], databaseUrl, { ROOT_KEY: rootKey, ...settings });
    const log = collect(child.stderr);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`node ${index} ended with ${code}: ${log()}`);
    });
    // Once the node has started, nobody handles this rejection.
    ended.catch(() => undefined);
    const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
    return new ServiceNode(index, new URL(JSON.parse(String(line)).url), child, log);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Its log lines of level error and above. */
  errors(): string[] {
    const lines = this.#log().split('\n');
    return lines.filter((line) => line !== '' && !isHarmless(line));
  }

  /** Stops it like an operator, or kills it, and returns its exit code. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    if (!this.isRunning) return this.#child.exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code] = await ended;
    return code;
  }
}

/** Runs a command of the command line. */
export async function realmkeep(
  words: string[],
  databaseUrl: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = launch(words, databaseUrl);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const [code] = await once(child, 'close');
  return { code, stdout: stdout(), stderr: stderr() };
}

function launch(words: string[], databaseUrl: string, more: Record<string, string> = {}): Child {
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'warn',
    // The load exceeds the default limit.
    RATE_LIMIT: 'off',
    ...more,
  };
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [PROGRAM, ...words], { env, stdio });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}

function collect(stream: Readable): () => string {
  const parts: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => parts.push(text));
  return () => parts.join('');
}

function isHarmless(line: string): boolean {
  try {
    return !ERROR_LEVELS.includes(JSON.parse(line).level);
  } catch {
    // Anything but a log line is the last output of a crashed process.
    return false;
  }
}
