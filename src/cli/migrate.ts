import { type DatabaseAddress, databaseAddress, readConfig } from '../config.ts';
import { copyBooks, distributeDatabase, migrateDatabase, openKeeper } from '../service.ts';
import { define, type Said, UsageError } from './command.ts';
import { counted, Progress } from './journal-progress.ts';

export const migrate = define({
  summary: "Brings the database to today's tables, copies all books, or distributes them.",
  notes:
    'A start of the service does the first; this is for doing it beforehand. With --from the\n' +
    'books of a SQLite file are copied into an empty PostgreSQL database, all or nothing, and\n' +
    'checked there. With --distribute the tables of a PostgreSQL database with Citus are\n' +
    'distributed over its servers, each realm on one of them; done again it does nothing.\n' +
    'Stop the service first for both: what it writes meanwhile is not copied.',
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
  example: 'realmkeep migrate --from sqlite:data/realmkeep.db --to postgres://db.example/realmkeep',
  async run({ values, say }) {
    if (values.from === undefined && values.to !== undefined) {
      throw new UsageError('--to needs --from.');
    }
    if (values.from !== undefined && values.distribute) {
      throw new UsageError('--distribute does not go with --from. Distribute first, then copy.');
    }
    if (values.from !== undefined) say(await copy(values.from, values.to));
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

async function copy(fromUrl: string, toUrl: string | undefined): Promise<Said> {
  const from = addressOf('--from', fromUrl, 'sqlite');
  const to = toUrl === undefined ? readConfig().database : addressOf('--to', toUrl, 'postgres');
  if (to.kind !== 'postgres') throw new UsageError('--to must be postgres://…');
  const progress = new Progress();
  try {
    const { rows, heads } = await copyBooks(from, to, (table, done) =>
      progress.tell(`Copying ${table}: ${counted(done, 'row')}`),
    );
    const faults = await check(to, heads, progress);
    const text =
      faults.length === 0
        ? `Copied ${counted(rows, 'row')} of ${counted(heads.size, 'realm')}; all books are true.`
        : `Copied, but not all books are true:\n${faults.join('\n')}`;
    return { text, json: { ok: faults.length === 0, realms: heads.size, rows, faults } };
  } finally {
    progress.end();
  }
}

function addressOf(name: string, url: string, kind: DatabaseAddress['kind']): DatabaseAddress {
  const faults: string[] = [];
  const address = databaseAddress(url, faults, name);
  if (faults.length === 0 && address.kind !== kind) faults.push(`${name} must be ${kind}:…`);
  if (faults.length > 0) throw new UsageError(`${faults.join('; ')}.`);
  return address;
}

/** Checks every chain and every balance at the far side, and that each ends as it did here. */
async function check(
  database: DatabaseAddress,
  heads: Map<string, string>,
  progress: Progress,
): Promise<string[]> {
  const keeper = await openKeeper({ database });
  const faults: string[] = [];
  let done = 0;
  try {
    for (const [realmId, head] of heads) {
      done += 1;
      progress.tell(`Checking realm ${done} of ${heads.size}`);
      const verdict = await keeper.ask('verify', { realmId });
      if (!verdict?.ok) faults.push(`${realmId}: ${verdict?.fault.detail ?? 'it is missing'}`);
      else if (verdict.head !== head) faults.push(`${realmId}: its journal ends differently`);
    }
    return faults;
  } finally {
    await keeper.close();
  }
}
