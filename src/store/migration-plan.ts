import type { Inspection } from './inspection.ts';

/** What a migration will do, found out from its text: nothing has to be declared, or forgotten. */
interface PlannedMigration {
  /** The schema version that it leads to. */
  version: number;
  /** What it does, in words. */
  actions: string[];
  /** The rows that it has to go through. */
  rows: number;
  /** How long that may take. */
  seconds: number;
}

export interface MigrationPlan {
  version: number;
  /** The schema version of this program. */
  target: number;
  migrations: PlannedMigration[];
  /** The size of the file, which the time of a backup follows from; 0 for a server. */
  bytes: number;
  /** Whether statements, leaderboards and searches are projected anew after the next start. */
  isProjectedAnew: boolean;
}

type CountRows = (table: string) => number | Promise<number>;

interface Action {
  verb: string;
  table: string;
  /** The rows that it goes through in a second; null if it goes through none. */
  rowsPerSecond: number | null;
}

/**
 * Measured with 1,000,000 members in a SQLite file, on two cores that others kept busy: reading
 * them in order of another column or into another table, and rewriting them where they are.
 */
const READ = 150_000;
const REWRITE = 20_000;

/** More tables than these are counted instead of listed. */
const MAX_LISTED = 4;

/** The commands that migrations consist of; the first form that fits counts. */
const FORMS: [form: RegExp, verb: string, rowsPerSecond: number | null][] = [
  [/^CREATE TABLE (\w+)/, 'creates', null],
  [/^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/, 'indexes', READ],
  [/^ALTER TABLE (\w+) ADD COLUMN /, 'adds a column to', null],
  [/^ALTER TABLE (\w+) RENAME /, 'renames', null],
  [/^ALTER TABLE (\w+) /, 'changes', REWRITE],
  [/^DROP TABLE (\w+)/, 'drops', null],
  [/^DROP INDEX (\w+)/, 'drops the index', null],
  [/^INSERT INTO \w+ .* FROM (\w+)/, 'copies rows of', READ],
  [/^INSERT INTO (\w+)/, 'adds rows to', null],
  [/^(?:UPDATE|DELETE FROM) (\w+)/, 'rewrites rows of', REWRITE],
];

/** The commands of a migration: each ends with `;` at the end of a line. */
export const commandsOf = (migration: string): string[] =>
  migration.split(/;\s*(?:\n|$)/).filter((command) => plain(command) !== '');

/** Without comments, in one line. */
const plain = (command: string): string =>
  command.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();

/** What the migrations after `applied` will do to a database with these rows. */
export async function planMigrations(
  all: readonly string[],
  applied: number,
  countRows: CountRows,
): Promise<PlannedMigration[]> {
  const planned: PlannedMigration[] = [];
  const created = new Set<string>();
  for (const [index, migration] of all.entries()) {
    if (index < applied) continue;
    const actions = commandsOf(migration).map(actionOf);
    for (const { verb, table } of actions) if (verb === 'creates') created.add(table);
    let [rows, seconds] = [0, 0];
    for (const { table, rowsPerSecond } of actions) {
      // A table that does not exist yet has no rows.
      if (rowsPerSecond === null || created.has(table)) continue;
      const count = await countRows(table);
      rows += count;
      seconds += count / rowsPerSecond;
    }
    planned.push({ version: index + 1, actions: described(actions, created), rows, seconds });
  }
  return planned;
}

function actionOf(command: string): Action {
  const text = plain(command);
  for (const [form, verb, rowsPerSecond] of FORMS) {
    const table = form.exec(text)?.[1];
    if (table !== undefined) return { verb, table, rowsPerSecond };
  }
  throw new Error(`a migration has a command that no plan can describe: ${text}`);
}

/** Indexes of new tables are part of their creation. */
function described(actions: readonly Action[], created: ReadonlySet<string>): string[] {
  const told = actions.filter(({ verb, table }) => verb === 'creates' || !created.has(table));
  return [...Map.groupBy(told, ({ verb }) => verb)].map(([verb, some]) => {
    const names = [...new Set(some.map(({ table }) => table))];
    return names.length > MAX_LISTED
      ? `${verb} ${names.length} tables`
      : `${verb} ${names.join(', ')}`;
  });
}

/** What has to be done to a database that is only looked at. */
export async function planFor(
  inspection: Pick<Inspection, 'version' | 'migrations' | 'countRows'>,
): Promise<MigrationPlan> {
  const { version, migrations: all, countRows } = inspection;
  const planned = await planMigrations(all, version, countRows);
  const target = all.length;
  return { version, target, migrations: planned, bytes: 0, isProjectedAnew: false };
}
