import { statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import {
  type Config,
  type DatabaseAddress,
  type PostgresAddress,
  postgresUrl,
  readConfig,
  sqliteUrl,
} from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { followVerification } from '../ledger/ledger.ts';
import {
  copyRealms,
  distributeDatabase,
  migrateDatabase,
  openLedger,
  schemaVersions,
} from '../storage/storage.ts';
import { backupText, isFolder, makeBackup, megabytes, sqliteDatabase } from './backup.ts';
import { define, parseOption, type Result, UsageError } from './command.ts';
import { abortOf, interruption } from './signals.ts';
import { counted, Progress } from './terminal.ts';
import { faultText } from './verify.ts';

export const migrate = define({
  summary: 'Migrates a database, copies it or distributes it.',
  notes: [
    'By default it applies migrations to the database of DATABASE_URL, each in a transaction.',
    'Starting the service does the same; use this to do it beforehand. --plan says what would be',
    'done. --backup first backs up a SQLite database that has to be migrated: to a file, or into',
    'a folder; by default into BACKUP_DIR, or else the folder of the database.',
    '',
    'With --from it copies all realms of a SQLite file into a PostgreSQL database without realms,',
    'atomically, and verifies the copy. Stop the services on both first: it refuses to copy while',
    'one is running. If interrupted, run it again. Other users of the machine can see a password',
    'in --to, but not one in DATABASE_URL.',
    '',
    'With --distribute it distributes the tables of a PostgreSQL database with Citus over its',
    'servers, each realm on one of them. Stop the service first. It is safe to repeat.',
  ].join('\n'),
  options: {
    plan: { help: 'Say what would be done. Changes nothing.' },
    backup: { value: '<file>', isOptional: true, help: 'First make a backup, and verify it.' },
    from: { value: '<url>', help: 'Copy from this SQLite file: sqlite:<path>.' },
    to: {
      value: '<url>',
      help: 'Copy to this database: postgres://… Default: the one of DATABASE_URL.',
    },
    distribute: { help: 'Distribute the tables over the servers of a Citus cluster.' },
  },
  example:
    'npx realmkeep migrate --from sqlite:data/realmkeep.db --to postgres://me@db.example/books',
  async run({ values, print }) {
    const { from, to, distribute: distributes, plan, backup } = values;
    if (from === undefined && to !== undefined) {
      throw new UsageError('--to needs --from, the SQLite file to copy.');
    }
    if (from !== undefined && distributes) {
      throw new UsageError(
        '--distribute and --from exclude each other. Distribute first, then copy.',
      );
    }
    const isUpgrade = from === undefined && !distributes;
    if (!isUpgrade && (plan || backup !== undefined)) {
      throw new UsageError('--plan and --backup go with neither --from nor --distribute.');
    }
    if (from !== undefined) print(await copyAndCheck(from, to));
    else if (distributes) print(await distribute());
    else print(await upgrade(plan ?? false, backup));
  },
});

async function distribute(): Promise<Result> {
  const database = serverOr('--distribute needs a DATABASE_URL that starts with postgres://.');
  using progress = new Progress();
  const done = await distributeDatabase(database, (table) =>
    progress.show(`Distributing ${table}`),
  );
  const { servers, byRealm, everywhere } = done;
  const [some, others] = [byRealm.length, everywhere.length];
  const changed = `${counted(some, 'table')} by realm, ${others} on every server`;
  const text = some + others === 0 ? 'nothing to do' : changed;
  return { text: `Distributed over ${counted(servers, 'server')}: ${text}.`, json: { ...done } };
}

async function upgrade(isPlan: boolean, backup: string | undefined): Promise<Result> {
  const config = readConfig();
  const { database } = config;
  const place = backup === undefined ? null : backupPlace(config, backup);
  if (isPlan) return planOf(database, place);
  const made = place === null ? null : await backUpFirst(place);
  const steps = await migrateDatabase(database);
  const text = steps === 0 ? 'nothing to do' : `applied ${counted(steps, 'migration')}`;
  const lines = [...(made ? [backupText(made)] : []), `The database is up to date: ${text}.`];
  return {
    text: lines.join('\n'),
    json: { steps, ...(place !== null && { backup: made?.path ?? null }) },
  };
}

/** Says what `upgrade` would do. */
async function planOf(database: DatabaseAddress, backupPlace: string | null): Promise<Result> {
  const { version, target } = await schemaVersions(database);
  const { shown } = database;
  if (version === target) {
    const text = `${shown} is up to date: it has schema version ${version}.`;
    return { text: `${text} There is nothing to do.`, json: { version, target, backup: null } };
  }
  const backup = version === 0 ? null : backupPlace;
  const size =
    version > 0 && database.kind === 'sqlite'
      ? ` and ${megabytes(statSync(database.path).size)}`
      : '';
  const advice = 'Back it up first; --backup does that for a SQLite database.';
  const lines = [
    `${shown} has schema version ${version}${size}, and this program has ${target}.`,
    ...(backup === null ? [] : [`A backup would go to ${backup}, and be verified.`]),
    `${counted(target - version, 'migration')} would be applied.`,
    ...(backup === null && version > 0 ? [advice] : []),
    'Nothing was changed.',
  ];
  return { text: lines.join('\n'), json: { version, target, backup } };
}

const PG_DUMP = 'Back it up with pg_dump first, then migrate without --backup';

/** Where the backup goes if no place is given. */
function backupPlace({ backups }: Config, given: string): string {
  const { path } = sqliteDatabase(PG_DUMP);
  return given || `${backups.folder ?? dirname(path)}/`;
}

async function backUpFirst(place: string) {
  const database = sqliteDatabase(PG_DUMP);
  const { version, target } = await schemaVersions(database);
  // A database that is yet to be created needs none.
  if (version === 0 || version === target) return null;
  const file = isFolder(place) ? join(place, nameBefore(database.path, version)) : place;
  return makeBackup(file, database);
}

/** Not that of a scheduled backup, since the newer of those would soon replace it. */
function nameBefore(databasePath: string, version: number): string {
  const stem = basename(databasePath, extname(databasePath));
  return `${stem}-schema-${version}-${new Date().toISOString().replaceAll(':', '-')}.db`;
}

/** Copies all realms and verifies the copy. A signal interrupts either. */
async function copyAndCheck(fromUrl: string, toUrl: string | undefined): Promise<Result> {
  const from = parseOption('--from', fromUrl, sqliteUrl);
  const to = toUrl === undefined ? serverOr(NO_TARGET) : parseOption('--to', toUrl, postgresUrl);
  using progress = new Progress();
  using interrupt = interruption(OUTCOME_UNKNOWN);
  const { signal } = interrupt;
  const onProgress = (table: string, done: number) =>
    progress.show(`Copying ${table}: ${counted(done, 'row')}`);
  const { rows, wasThere, realms, faults } = await copyRealms(
    from,
    to,
    { onProgress, signal },
    (heads) => check(to, heads, progress, signal),
  );
  const done = wasThere
    ? `An earlier run already copied ${counted(realms, 'realm')}`
    : `Copied ${counted(rows, 'row')} of ${counted(realms, 'realm')}`;
  const ok = faults.length === 0;
  const text = ok
    ? `${done}; the copy is verified.\n${nextStep(from, to)}`
    : `${done}, but the copy has faults:\n${faults.join('\n')}\n${onFaults(to)}`;
  return { text, json: { ok, realms, rows, wasThere, faults } };
}

const NO_TARGET = 'Set DATABASE_URL or --to to the PostgreSQL database.';
const OUTCOME_UNKNOWN =
  'Interrupted, and the database does not answer: the copy may or may not be complete. Run it ' +
  'again to find out.';

const nextStep = (from: DatabaseAddress, { shown }: DatabaseAddress): string =>
  `Start the service with a DATABASE_URL for ${shown}. Rename ${from.shown}: a start without ` +
  'DATABASE_URL would continue on the old file.';

const onFaults = ({ shown }: DatabaseAddress): string =>
  `The copy stays in ${shown}. Check the file with "npx realmkeep verify"; before you copy ` +
  'again, drop that database and create a new one.';

function serverOr(refusal: string): PostgresAddress {
  const { database } = readConfig();
  if (database.kind === 'postgres') return database;
  throw new UsageError(refusal);
}

/** Verifies every realm of the copy, and that each journal has the same head as the original. */
async function check(
  database: DatabaseAddress,
  heads: Map<string, string>,
  progress: Progress,
  signal: AbortSignal,
): Promise<string[]> {
  const interrupted = abortOf(signal).then(() => {
    const sentence = `all realms are in ${database.shown}, but not all of them are verified.`;
    throw new OperatorError('interrupted', `Interrupted: ${sentence} Run it again to verify them.`);
  });
  // Nobody may be waiting for it when it rejects.
  interrupted.catch(() => undefined);
  const ledger = await openLedger(database);
  const faults: string[] = [];
  let done = 0;
  try {
    for (const [realmId, head] of heads) {
      done += 1;
      progress.show(`Checking realm ${done} of ${heads.size}`);
      const checked = followVerification(ledger, realmId, () => undefined);
      const verdict = await Promise.race([checked, interrupted]);
      if (!verdict?.ok)
        faults.push(`${realmId}: ${verdict ? faultText(verdict.fault) : 'missing'}`);
      else if (verdict.head !== head) faults.push(`${realmId}: its journal has another head`);
    }
    return faults;
  } finally {
    // After an interruption the process ends without waiting for the current check.
    if (!signal.aborted) await ledger.close();
  }
}
