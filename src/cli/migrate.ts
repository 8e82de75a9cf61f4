import { readConfig } from '../config.ts';
import { distributeDatabase, migrateDatabase } from '../service.ts';
import { define, type Said, UsageError } from './command.ts';
import { copyAndCheck } from './copy-database.ts';
import { counted, Progress } from './journal/progress.ts';

export const migrate = define({
  summary: "Brings the database to today's tables, copies all books, or distributes them.",
  notes: [
    "Without an option it brings the database of DATABASE_URL to today's tables. A start of the",
    'service does the same; this is for doing it beforehand.',
    '',
    'With --from it copies the books of a SQLite file into a PostgreSQL database without realms,',
    'all or nothing, and checks them there. Stop the services on both first; it refuses to copy',
    'while one runs. Interrupted, it can be run again.',
    '',
    'With --distribute it spreads the tables of a PostgreSQL database with Citus over its',
    'servers, each realm on one of them. Stop the service first; done again it does nothing.',
  ].join('\n'),
  args: [],
  options: {
    from: { type: 'string', value: '<url>', help: 'Copy from this file: sqlite:<path>.' },
    to: {
      type: 'string',
      value: '<url>',
      help: 'Copy to this database: postgres://… Default: DATABASE_URL, which hides a password.',
    },
    distribute: { type: 'boolean', help: 'Distribute the tables over the servers of a cluster.' },
  },
  example: 'realmkeep migrate --from sqlite:data/realmkeep.db --to postgres://me@db.example/books',
  async run({ values, say }) {
    if (values.from === undefined && values.to !== undefined) {
      throw new UsageError('--to needs --from: it names where the books of --from are copied to.');
    }
    if (values.from !== undefined && values.distribute) {
      throw new UsageError('--distribute does not go with --from. Distribute first, then copy.');
    }
    if (values.from !== undefined) say(await copyAndCheck(values.from, values.to));
    else say(values.distribute ? await distribute() : await takeSteps());
  },
});

async function distribute(): Promise<Said> {
  const { database } = readConfig();
  if (database.kind !== 'postgres') {
    throw new UsageError('--distribute needs a DATABASE_URL of postgres://…');
  }
  const progress = new Progress();
  try {
    const done = await distributeDatabase(database, (table) =>
      progress.tell(`Distributing ${table}`),
    );
    const { servers, byRealm, everywhere } = done;
    const [some, others] = [byRealm.length, everywhere.length];
    const now = `${counted(some, 'table')} by realm, ${others} on every server`;
    const text = some + others === 0 ? 'nothing was left to do' : now;
    return { text: `Distributed over ${counted(servers, 'server')}: ${text}.`, json: { ...done } };
  } finally {
    progress.end();
  }
}

async function takeSteps(): Promise<Said> {
  const steps = await migrateDatabase(readConfig());
  const taken = steps === 1 ? 'one step was taken' : `${steps} steps were taken`;
  const text = steps === 0 ? 'nothing was left to do' : taken;
  return { text: `The database is up to date: ${text}.`, json: { steps } };
}
