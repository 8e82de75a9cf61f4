import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { keyPaths, MAX_KEPT, readConfig, type SqliteAddress } from '../config/config.ts';
import { integer } from '../config/parsers.ts';
import {
  type Backup,
  backUpInto,
  backUpTo,
  type CopyProgress,
  NO_ROTATION,
  type Rotation,
} from '../storage/backups.ts';
import { define, parseOption, UsageError } from './command.ts';
import { interruption } from './signals.ts';
import { counted, Progress } from './terminal.ts';

export const backup = define({
  summary: 'Copies the SQLite database, and verifies the copy.',
  notes:
    'The copy is of one instant, also while a service runs, and gets its name when it is\n' +
    'verified. In a folder each backup gets a name of its own, by time; a path that ends with\n' +
    '"/" is a folder, which is created. docs/backup.md describes what a backup contains, and\n' +
    'covers PostgreSQL.',
  args: ['file'],
  options: {
    keep: { value: '<n>', help: '<file> is a folder: delete all but the newest n backups in it.' },
  },
  example: 'npx realmkeep backup backups/ --keep 7',
  async run({ args, values, print }) {
    const keep =
      values.keep === undefined ? null : parseOption('--keep', values.keep, integer(1, MAX_KEPT));
    if (keep !== null && !isFolder(args.file)) {
      const advice = `Write ${args.file}/ to have it created, or leave out --keep.`;
      throw new UsageError(`--keep needs a folder, and ${args.file} is none. ${advice}`);
    }
    const database = sqliteDatabase('Back up PostgreSQL with pg_dump');
    const { rotation, ...made } = await makeBackup(args.file, database, keep);
    const lines = [backupText(made), ...rotationLines(rotation), keysText(database)];
    const { removed, fault: notRemoved } = rotation;
    print({ text: lines.join('\n'), json: { ...made, removed, notRemoved } });
  },
});

/** Backs up to a file or a folder. A signal interrupts it. */
export async function makeBackup(
  place: string,
  database: SqliteAddress,
  keep: number | null = null,
): Promise<Backup & { rotation: Rotation }> {
  using progress = new Progress();
  using interrupt = interruption('Interrupted, but the backup did not stop in time.');
  const watch = { onProgress: progressLine(progress), signal: interrupt.signal };
  return isFolder(place)
    ? await backUpInto({ folder: place, keep }, database, watch)
    : { ...(await backUpTo(place, database, watch)), rotation: NO_ROTATION };
}

export function backupText({ path, bytes, realms }: Backup): string {
  const content = `${counted(realms.length, 'realm')} with ${counted(total(realms), 'record')}`;
  return `Backed up ${content} to ${path} (${megabytes(bytes)}), and verified it.`;
}

const rotationLines = ({ removed, fault }: Rotation): string[] => [
  ...(removed.length === 0 ? [] : [`Deleted ${counted(removed.length, 'old backup')}.`]),
  ...(fault === null ? [] : [`Others could not be deleted, and take space: ${fault}.`]),
];

function keysText(database: SqliteAddress): string {
  const [root, secret] = Object.values(keyPaths(database)).map((path) => basename(path));
  return `Keep ${root} and ${secret}, too, but elsewhere: they are not in the backup.`;
}

/** Only a file can be backed up here; a server has its own means. */
export function sqliteDatabase(advice: string): SqliteAddress {
  const { database } = readConfig();
  if (database.kind === 'sqlite') return database;
  throw new UsageError(`DATABASE_URL names a PostgreSQL database. ${advice}: see docs/backup.md.`);
}

export const isFolder = (path: string): boolean =>
  path.endsWith('/') || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);

export const total = (realms: { records: number }[]): number =>
  realms.reduce((sum, { records }) => sum + records, 0);

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export const progressLine =
  (progress: Progress) =>
  ({ step, done, total }: CopyProgress): void => {
    const verb = step === 'copying' ? 'Copying' : 'Verifying';
    const noun = step === 'copying' ? 'page' : 'record';
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    progress.show(`${verb}: ${percent} % of ${counted(total, noun)}`);
  };
