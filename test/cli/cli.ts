import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { perform } from '../../src/cli/main.ts';
import {
  newPostgresDatabase,
  STORAGE,
  sqliteFile,
  type TestDatabase,
} from '../support/database.ts';
import { type Ended, Program } from '../support/program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'bin', 'realmkeep.mjs');

/** Created in advance, since the constructor of `Cli` cannot wait; no test has more at a time. */
const free =
  STORAGE === 'postgres'
    ? await Promise.all(Array.from({ length: 5 }, () => newPostgresDatabase()))
    : [];
process.once('beforeExit', () => Promise.all(free.map((database) => database.drop())));

/** Puts a new database in the place of one that was used. */
async function replace(used: TestDatabase): Promise<void> {
  await used.drop();
  free.push(await newPostgresDatabase());
}

type Environment = Record<string, string>;

/** What other tests have compiled, for the threads of a service that starts in this process. */
const { NODE_COMPILE_CACHE } = process.env;
const COMPILED: Environment = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

/** A service listens to these; one that is refused would keep them from this process. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The command line in its own folder, which is also its TMPDIR. */
export class Cli {
  readonly folder: string;
  readonly database: TestDatabase;
  readonly #env: Environment;
  readonly #node: string;
  readonly #programs: Program[] = [];

  constructor(
    t: { after(fn: () => Promise<void>): void },
    env: Environment = {},
    node = process.execPath,
  ) {
    this.folder = mkdtempSync(join(tmpdir(), 'realmkeep-cli-'));
    this.#node = node;
    const database = STORAGE === 'postgres' ? free.pop() : sqliteFile(this.folder);
    if (!database) throw new Error('more databases must be made beforehand');
    this.database = database;
    this.#env = {
      PATH: process.env.PATH ?? '',
      TMPDIR: this.folder,
      DATABASE_URL: database.url,
      PORT: '0',
      ...env,
    };
    t.after(async () => {
      for (const program of this.#programs) program.kill();
      await Promise.all(this.#programs.map(({ ended }) => ended));
      rmSync(this.folder, { recursive: true, force: true });
      if (STORAGE === 'postgres') await replace(database);
    });
  }

  start(args: string[], env: Environment = {}): Program {
    // A launcher and its child are killed together, as a group.
    return this.#spawn([this.#node, BIN, ...args], env, this.#node !== process.execPath);
  }

  /** A shell in which `$NODE` and `$BIN` are these. */
  startShell(script: string, env: Environment): Program {
    return this.#spawn(['sh', '-c', script], { ...env, NODE: this.#node, BIN }, true);
  }

  #spawn([program = '', ...args]: string[], env: Environment, detached: boolean): Program {
    const child = spawn(program, args, {
      cwd: this.folder,
      detached,
      env: { ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = new Program(child);
    this.#programs.push(running);
    return running;
  }

  /** Runs a command that ends by itself; in this process if possible, which is far quicker. */
  async run(args: string[], env: Environment = {}): Promise<Ended> {
    if (this.#node !== process.execPath || needsProcess(args)) return this.start(args, env).ended;
    return this.within(env, async () => ({ ...(await performed(args)), signal: null }));
  }

  /** Runs a command that is refused before it serves anybody, in this process. */
  async refused(args: string[], env: Environment = {}): Promise<Ended> {
    const before = STOP_SIGNALS.flatMap((signal) => process.listeners(signal));
    const ended = await this.within(env, () => performed(args));
    for (const signal of STOP_SIGNALS) {
      const added = process.listeners(signal).filter((listener) => !before.includes(listener));
      for (const listener of added) process.off(signal, listener);
    }
    return { ...ended, signal: null };
  }

  /** Does something in the folder and the environment of this command line. */
  async within<T>(env: Environment, work: () => Promise<T>): Promise<T> {
    const before = { folder: process.cwd(), env: process.env };
    if (before.env.TMPDIR === this.folder) throw new Error('one command at a time; start() others');
    process.chdir(this.folder);
    process.env = { ...COMPILED, ...this.#env, ...env };
    try {
      return await work();
    } finally {
      process.chdir(before.folder);
      process.env = before.env;
    }
  }

  /** Runs a command with `--json` and reads its one object. */
  async ask(args: string[], env: Environment = {}): Promise<Record<string, unknown>> {
    const { stdout } = await this.run([...args, '--json'], env);
    return JSON.parse(stdout);
  }
}

/** Whether a command writes to the streams of its process itself, or ends it. */
const needsProcess = (args: string[]): boolean =>
  ['serve', 'demo'].includes(args[0] ?? '') ||
  (/^(journal )?export /.test(args.join(' ')) && !args.includes('--to'));

/** Runs a command line in this process. */
export async function performed(args: string[]): Promise<Omit<Ended, 'signal'>> {
  const said = { stdout: '', stderr: '' };
  const code = await perform(args, {
    out: (text) => {
      said.stdout += `${text}\n`;
    },
    err: (text) => {
      said.stderr += `${text}\n`;
    },
  });
  return { code, ...said };
}

/** A port that somebody listens on until the end of the test. */
export async function takenPort(t: { after(fn: () => void): void }): Promise<string> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.after(() => holder.close());
  return String((holder.address() as AddressInfo).port);
}

export function get(url: string, key: string): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${key}` } });
}

/** A connection for hand-written HTTP. */
export class Wire {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  received = '';

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
    // Some tests expect the connection to be cut.
    this.socket.on('error', () => undefined);
    this.socket.setEncoding('utf8').on('data', (text) => {
      this.received += text;
    });
  }

  async receives(text: string): Promise<void> {
    while (!this.received.includes(text)) await once(this.socket, 'data');
  }

  /** Begins a POST and waits until the server has taken it: it answers 100 to `expect`. */
  async beginPost(path: string, key: string, body: string): Promise<void> {
    this.socket.write(
      `POST ${path} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
        'expect: 100-continue\r\n\r\n',
    );
    await this.receives('100 Continue');
  }
}

/** Waits until nothing listens at the address. */
export async function refusesConnections(url: string): Promise<void> {
  for (;;) {
    const wire = new Wire(url);
    const connected = await Promise.race([
      once(wire.socket, 'connect').then(
        () => true,
        () => false,
      ),
      wire.closed.then(() => false),
    ]);
    wire.socket.destroy();
    if (!connected) return;
  }
}

/** On a slow machine even short work may show progress. */
export const withoutProgress = (stderr: string): string => stderr.replaceAll(/^.* …\n/gm, '');
