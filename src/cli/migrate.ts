import { readConfig } from '../config.ts';
import { distributeDatabase, migrateDatabase } from '../storage.ts';
import { define, type Result, UsageError } from './command.ts';
import { copyAndCheck } from './copy-database.ts';
import { counted, Progress } from './progress.ts';

export const migrate = define({
  summary: 'Migrates a database, copies it or distributes it.',
  notes: [
    'By default it applies migrations to the database of DATABASE_URL. Starting the service does',
    'the same; use this to do it beforehand.',
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
    if (values.from === undefined && values.to !== undefined) {
      throw new UsageError('--to needs --from, the SQLite file to copy.');
    }
    if (values.from !== undefined && values.distribute) {
      throw new UsageError(
        '--distribute and --from exclude each other. Distribute first, then copy.',
      );
    }
    if (values.from !== undefined) print(await copyAndCheck(values.from, values.to));
    else print(values.distribute ? await distribute() : await applyMigrations());
  },
});

async function distribute(): Promise<Result> {
  const { database } = readConfig();
  if (database.kind !== 'postgres') {
    throw new UsageError('--distribute needs a DATABASE_URL that starts with postgres://.');
  }
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

async function applyMigrations(): Promise<Result> {
  const steps = await migrateDatabase(readConfig().database);
  const text = steps === 0 ? 'nothing to do' : `applied ${counted(steps, 'migration')}`;
  return { text: `The database is up to date: ${text}.`, json: { steps } };
}
