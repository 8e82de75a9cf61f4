/** What a migration will do, found out from its text: nothing has to be declared, or forgotten. */
export interface PlannedMigration {
  /** The schema version that it leads to. */
  version: number;
  /** What it does, in words. */
  actions: string[];
  /** The rows that it has to go through. */
  rows: number;
  /** How long that may take. */
  seconds: number;
}

type CountRows = (table: string) => number | Promise<number>;

interface Action {
  verb: string;
  table: string;
  /** Whether its time grows with the rows of the table. */
  isByRow: boolean;
}

/** Rewriting and indexing rows was faster than this on two busy cores, on both databases. */
const ROWS_PER_SECOND = 100_000;

/** More tables than these are counted instead of listed. */
const MAX_LISTED = 4;

/** The commands that migrations consist of; the first form that fits counts. */
const FORMS: [form: RegExp, verb: string, isByRow: boolean][] = [
  [/^CREATE TABLE (\w+)/, 'creates', false],
  [/^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/, 'indexes', true],
  [/^ALTER TABLE (\w+) ADD COLUMN /, 'adds a column to', false],
  [/^ALTER TABLE (\w+) RENAME /, 'renames', false],
  [/^ALTER TABLE (\w+) /, 'changes', true],
  [/^DROP TABLE (\w+)/, 'drops', false],
  [/^DROP INDEX (\w+)/, 'drops the index', false],
  [/^INSERT INTO \w+ .* FROM (\w+)/, 'copies rows of', true],
  [/^INSERT INTO (\w+)/, 'adds rows to', false],
  [/^(?:UPDATE|DELETE FROM) (\w+)/, 'rewrites rows of', true],
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
    let rows = 0;
    // A table that does not exist yet has no rows.
    for (const { table, isByRow } of actions) {
      if (isByRow && !created.has(table)) rows += await countRows(table);
    }
    const seconds = rows / ROWS_PER_SECOND;
    planned.push({ version: index + 1, actions: described(actions, created), rows, seconds });
  }
  return planned;
}

function actionOf(command: string): Action {
  const text = plain(command);
  for (const [form, verb, isByRow] of FORMS) {
    const table = form.exec(text)?.[1];
    if (table !== undefined) return { verb, table, isByRow };
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
