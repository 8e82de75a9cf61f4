import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { SqliteAddress } from '../../config/config.ts';
import { isFull } from '../../store/sqlite/errors.ts';
import type { DatabaseFacts } from './database.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const MB = 1e6;
/** Below this, a burst of writes fills the disk. */
const MIN_FREE_BYTES = 64 * MB;
/** Room for the logs, and for what grows unnoticed. */
const ENOUGH_BYTES = 1_000 * MB;
const FSYNCS = 20;
const FSYNC_TIME_MS = 2_000;
/** A commit waits for one; disks with a good cache take a tenth. */
const SLOW_FSYNC_MS = 50;

/** File systems by their numbers in Linux, in whose `statfs` they are. */
const FILE_SYSTEMS: Record<number, { name: string; is: 'network' | 'served' | 'memory' }> = {
  26985: { name: 'NFS', is: 'network' },
  20859: { name: 'SMB', is: 'network' },
  4283649346: { name: 'SMB', is: 'network' },
  4266872130: { name: 'SMB', is: 'network' },
  12805120: { name: 'Ceph', is: 'network' },
  16914839: { name: '9p', is: 'served' },
  1702057286: { name: 'FUSE', is: 'served' },
  16914836: { name: 'tmpfs', is: 'memory' },
};

/** Where the database is, or would be: the nearest folder that exists. */
const folderOf = ({ path }: SqliteAddress): string => existingFolder(dirname(resolve(path)));

export function spaceFinding(database: SqliteAddress): Finding {
  const { path } = database;
  try {
    const folder = folderOf(database);
    const { type, bavail, bsize } = statfsSync(folder);
    const isLinux = process.platform === 'linux';
    const databaseBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const freeBytes = bavail * bsize;
    return judgeDisk({ folder, type: isLinux ? type : 0, freeBytes, databaseBytes });
  } catch (error) {
    return fault(`${path} cannot be looked at (${codeOf(error)}). Check its path.`);
  }
}

/** The bits by which group and others may read a file, and get into its folder. */
const [READ, SEARCH] = [0o044, 0o011];

/** Who may read the file sees all members, and the sealed secrets. Windows has no such modes. */
export function accessFindings({ path }: SqliteAddress): Finding[] {
  const isOpen = modeOf(path) & READ && modeOf(dirname(resolve(path))) & SEARCH;
  if (process.platform === 'win32' || !isOpen) return [];
  const found = `Other users of this machine may read ${path}, with all that is known of members.`;
  return [warning(`${found} Run: chmod 600 ${path}*`)];
}

/** No bits if it cannot be looked at. */
function modeOf(place: string): number {
  try {
    return statSync(place).mode;
  } catch {
    return 0;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

interface Disk {
  folder: string;
  type: number;
  freeBytes: number;
  databaseBytes: number;
}

export function judgeDisk({ folder, type, freeBytes, databaseBytes }: Disk): Finding {
  const free = `${size(freeBytes)} are free in ${folder}`;
  const { name, is } = FILE_SYSTEMS[type] ?? {};
  if (is === 'network') {
    const found = `${folder} is on a network file system (${name})`;
    return fault(`${found}, where SQLite's log does not work. Use a local disk, or PostgreSQL.`);
  }
  if (freeBytes < MIN_FREE_BYTES) {
    return fault(`Only ${free}. Free some space: without any, all writes are refused.`);
  }
  if (is === 'served') {
    const found = `${folder} is on a file system of another program (${name})`;
    return warning(`${found}. SQLite's log does not work on another machine: use a local disk.`);
  }
  if (is === 'memory') {
    return warning(`${folder} is in memory (${name}): a restart of the machine loses it.`);
  }
  if (freeBytes < databaseBytes) {
    return warning(`${free}, less than the database takes: a restore needs as much again.`);
  }
  return freeBytes < ENOUGH_BYTES ? warning(`Only ${free}. Free some space.`) : ok(`${free}.`);
}

const size = (bytes: number): string =>
  bytes < 1e9 ? `${Math.floor(bytes / MB)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** The folder, or the nearest one above it that exists. */
export function existingFolder(folder: string): string {
  return existsSync(folder) ? folder : existingFolder(dirname(folder));
}

/**
 * Measures with a file of its own, which is removed. Not before it is measured: some file systems
 * do not write a file that has lost its name.
 */
export function fsyncFinding(database: SqliteAddress): Finding {
  const folder = folderOf(database);
  const path = join(folder, `realmkeep-doctor-${randomUUID()}`);
  try {
    const file = openSync(path, 'wx', 0o600);
    try {
      return judgeFsync(fsyncTimes(file));
    } finally {
      closeSync(file);
      rmSync(path, { force: true });
    }
  } catch (error) {
    if (isFull(error)) return fault('The disk is full. Free some space.');
    const found = `Nothing can be written to ${folder} (${codeOf(error)}).`;
    return fault(`${found} Let the user of the service write to that folder.`);
  }
}

function fsyncTimes(file: number): number[] {
  const block = Buffer.alloc(4_096);
  const times: number[] = [];
  const startedAt = performance.now();
  while (times.length < FSYNCS && performance.now() - startedAt < FSYNC_TIME_MS) {
    writeSync(file, block);
    const before = performance.now();
    fsyncSync(file);
    times.push(performance.now() - before);
  }
  return times;
}

export function judgeFsync(times: readonly number[]): Finding {
  const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
  const found = `An fsync takes ${median.toFixed(1)} ms (median of ${times.length}).`;
  if (median < SLOW_FSYNC_MS) return ok(found);
  return warning(`${found} Every commit waits for one: use a faster disk.`);
}

/** The disk of a server is not ours to see, but its settings are. */
export function serverFsyncFinding({ server }: Pick<DatabaseFacts, 'server'>): Finding {
  const unsafe = server?.unsafe ?? [];
  if (unsafe.length === 0) return ok('The server waits for its disk at every commit.');
  const names = unsafe.map((name) => `${name} = off`).join(' and ');
  const sentence = `The server has ${names}: a crash may lose or damage what was acknowledged.`;
  return fault(`${sentence} Turn that on in postgresql.conf.`);
}
