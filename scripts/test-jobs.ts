import { dirname } from 'node:path';
import {
  countsSteps,
  databasesOf,
  isLong,
  killsServer,
  usesChain,
} from '../test/architecture/test-files.ts';

/** Test files that run in one process, one after another. */
export interface Job {
  files: string[];
  storage: 'sqlite' | 'postgres';
}

type Wanted = (file: string, storage: Job['storage']) => boolean;

const STORAGES = { sqlite: ['none', 'sqlite', 'both'], postgres: ['postgres', 'both'] };
const ON_CLUSTER = { sqlite: [], postgres: ['both', 'cluster'] } as Record<string, string[]>;

/** The longest files, each in its own process; first, so that all cores are busy to the end. */
const FIRST = [
  'test/browser/every-view.',
  'test/package/',
  'test/docs/commands.',
  'test/browser/',
  'test/siege/',
  'test/client/',
  'test/domain/decide.',
];
/** Then the folders whose files take longest. */
const FOLDERS = ['cli', 'storage', 'events', 'discord', 'web3', 'http', 'domain'].map(
  (name) => `test/${name}`,
);
/** Folders of which some have few files, or quick ones; those of a line load the same modules. */
const TOGETHER = [
  /^test\/(storage|domain)$/,
  /^test\/(client|deploy|events|examples|telemetry|web3|webhooks)$/,
  /^test\/(architecture|docs|unit)$/,
];
/** More save little, and leave a core without work at the end. */
const FILES_PER_PROCESS = 20;

const rankIn = (list: string[], path: string): number => {
  const index = list.findIndex((start) => path.startsWith(start));
  return index === -1 ? list.length : index;
};

const hasOwnProcess = (file: string): boolean => isLong(file) || rankIn(FIRST, file) < FIRST.length;

/**
 * Whether files may share a process. One that counts steps changes how V8 runs all code, and one
 * that plans every statement would plan those of other tests, too.
 */
function processOf(file: string): string {
  const isAlone = countsSteps(file) || killsServer(file) || file.includes('/plans.');
  if (hasOwnProcess(file) || isAlone) return file;
  const folder = dirname(file);
  const line = TOGETHER.find((folders) => folders.test(folder));
  // Other files need not wait until a chain is installed.
  return `${line ?? folder} ${usesChain(file)}`;
}

function split(files: string[]): string[][] {
  const processes = Math.ceil(files.length / FILES_PER_PROCESS);
  return Array.from({ length: processes }, (_, index) =>
    files.filter((_file, at) => at % processes === index),
  );
}

/**
 * What runs the files, in the order in which it is to start: each over the databases that it uses
 * and that are wanted.
 */
export function jobsOf(files: readonly string[], isWanted: Wanted, isOnCluster = false): Job[] {
  const storages = isOnCluster ? ON_CLUSTER : STORAGES;
  const ranked = files.toSorted(
    (one, other) =>
      rankIn(FIRST, one) - rankIn(FIRST, other) || rankIn(FOLDERS, one) - rankIn(FOLDERS, other),
  );
  const processes = [...Map.groupBy(ranked, processOf).values()];
  return processes.flatMap((sharing) =>
    (['sqlite', 'postgres'] as const).flatMap((storage) =>
      split(
        sharing.filter(
          (file) => storages[storage]?.includes(databasesOf(file)) && isWanted(file, storage),
        ),
      ).map((own): Job => ({ files: own, storage })),
    ),
  );
}
