import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Ready } from './servers/announce.ts';

/** A process that answers each line with a line. */
export interface Child {
  /** The first line, printed when it was ready. */
  ready: string;
  ask: (line: string) => Promise<string>;
  stop: () => Promise<void>;
}

/** A server in its own process. */
export interface RunningServer extends Ready {
  /** The processor time of all its threads so far, in microseconds. */
  processorTime: () => Promise<number>;
  stop: () => Promise<void>;
}

const alive = new Set<ChildProcess>();

// The last resort, if the process exits unexpectedly.
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Starts a file of servers/ on the same Node and waits until it listens. */
export async function startServer(
  name: string,
  folder: string,
  preload?: string,
): Promise<RunningServer> {
  const { ready, ask, stop } = await startChild(`servers/${name}.ts`, folder, preload);
  const processorTime = async (): Promise<number> => Number(await ask(''));
  return { ...(JSON.parse(ready) as Ready), processorTime, stop };
}

/** As bin/realmkeep.mjs sets them; here for all, so that none has an advantage. */
const HEAP_FLAGS = ['--memory-reducer-gc-count=0', '--heap-growing-percent=100'];

/**
 * Starts a file of the benchmark on the same Node, with a folder as its only argument, and waits
 * until it is ready. A module of preload/ is loaded first in all of its threads.
 */
export async function startChild(file: string, folder: string, preload?: string): Promise<Child> {
  const { dirname } = import.meta;
  const first = preload
    ? ['--import', pathToFileURL(join(dirname, `preload/${preload}.ts`)).href]
    : [];
  const child = launch(process.execPath, [...HEAP_FLAGS, ...first, join(dirname, file), folder]);
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${file} ended with ${code ?? signal}`);
  });
  // After stop() nobody handles this rejection.
  ended.catch(() => {});
  const nextLine = async (): Promise<string> => {
    const [line] = await Promise.race([once(lines, 'line'), ended]);
    return line as string;
  };
  const ask = (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`);
    return nextLine();
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended.catch(() => {});
  };
  return { ready: await nextLine(), ask, stop };
}

/** Runs a command to its end and returns its output; one that hangs is killed. */
export async function runToEnd(
  command: string,
  commandArguments: string[],
  timeoutSeconds: number,
): Promise<string> {
  const child = launch(command, commandArguments);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutSeconds * 1_000);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code, signal] = await once(child, 'close');
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${command} ended with ${code ?? signal}: ${output}`);
  return output;
}

/** Kills every process that was started here and waits until they have exited. */
export async function stopAll(): Promise<void> {
  const ends = [...alive].map((child) => once(child, 'exit'));
  for (const child of alive) child.kill('SIGKILL');
  await Promise.all(ends);
}

function launch(command: string, commandArguments: string[]) {
  // Standard input stays open as long as this process lives; servers exit when it closes.
  const child = spawn(command, commandArguments, { stdio: ['pipe', 'pipe', 'inherit'] });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}
