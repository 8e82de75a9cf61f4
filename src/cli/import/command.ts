import { OperatorError } from '../../config/operator-error.ts';
import { operations } from '../../contract/operations.ts';
import type { PointKind } from '../../domain/model.ts';
import { InDoubt, Unavailable } from '../../ledger/errors.ts';
import type { Executor } from '../../ledger/ledger.ts';
import { define, type Result, UsageError } from '../command.ts';
import { refuseUnusable } from '../output.ts';
import { counted, Progress, printable } from '../terminal.ts';
import { checkArguments, requireRealm, withLedger, withWriter } from '../with-ledger.ts';
import { ColumnFinder, parseMapping } from './columns.ts';
import { type IfPresent, Importer, type ImportOptions, PRESENT } from './importer.ts';
import { RefusedFile, refusedPaths } from './refused-file.ts';
import { openSource, type Source, type SourceRow } from './source.ts';

/** Bytes of a file, some 5,000 rows: a thread takes as long to start. */
const WORTH_A_THREAD = 262_144;

export const importMembers = define({
  summary: 'Enrols the members of a file, with opening balances.',
  notes:
    'The file is CSV or NDJSON. Each row is a member: id, username, displayName, status,\n' +
    'accounts, wallets, metadata and balances.<kind>. Columns of these or of usual names are\n' +
    'found by themselves; --map names others. Run it again after an interruption, or with a\n' +
    'longer file: a member is enrolled once, and no opening balance is added twice.\n' +
    'docs/moving.md has more.',
  args: ['realm', 'file'],
  options: {
    map: {
      value: '<field>=<column>',
      multiple: true,
      help: 'The column of a field, such as balances.points=coins. May be repeated.',
    },
    present: {
      value: '<how>',
      help: 'Members already enrolled: skip (default), update (not balances) or refuse.',
    },
    description: { value: '<text>', help: 'The reason of opening balances, for statements.' },
    refused: {
      value: '<file>',
      help: 'A new file for refused rows. Default: <file>.refused.<type>.',
    },
    'dry-run': { help: 'Check every row as an import does, and change nothing.' },
  },
  example: 'npx realmkeep import acme members.csv --map id=user_id --map balances.points=coins',
  async run({ args: { realm, file }, values, print }) {
    const { description = null, map = [], present = 'skip' } = values;
    checkArguments(operations.createMembers, {
      params: { realmID: realm },
      body: { ...(description !== null && { description }), members: [{}] },
    });
    if (!isPresentOption(present)) {
      throw new UsageError(`--present must be one of ${PRESENT.join(', ')}.`);
    }
    if (values.refused !== undefined) refuseUnusable('--refused', values.refused);
    const isDryRun = values['dry-run'] === true;
    // Loaded here, because other commands need no addresses.
    const { parseAddress } = await import('../../web3/address.ts');
    const done = await withLedger(async (ledger) => {
      await requireRealm(ledger, realm);
      const kinds = await ledger.query('kinds', { realmId: realm });
      const source = await openSource(file, new ColumnFinder(parseMapping(map, kinds), kinds));
      const paths = values.refused === undefined ? refusedPaths(file) : [values.refused];
      await using refused = new RefusedFile(paths, source);
      const onRefused = (row: SourceRow, reason: string) => refused.add(row, reason);
      const how = { realmId: realm, description, ifPresent: present, isDryRun };
      const options = { ...how, ...wordsOf(source, kinds), parseAddress, onRefused };
      const importWith = (writer: Executor) => importAll(writer, source, options);
      const isLarge = source.size > WORTH_A_THREAD;
      const counts = await (isLarge ? withWriter(ledger, importWith) : importWith(ledger));
      const used = Object.fromEntries(source.used);
      const ignored = [...source.ignored];
      return { ...counts, columns: used, ignored, refusedFile: refused.path };
    });
    print(resultOf({ realmId: realm, file, isDryRun, ...done }));
  },
});

/** What the reasons of refused rows are made of. */
const wordsOf = (source: Source, kinds: readonly PointKind[]) => ({
  columns: source.used,
  defaultKind: kinds.find(({ isDefault }) => isDefault)?.id ?? '',
  inWords: (detail: string) => source.inWords(detail),
});

const isPresentOption = (typed: string): typed is IfPresent =>
  (PRESENT as readonly string[]).includes(typed);

async function importAll(
  ledger: Executor,
  source: Source,
  options: Omit<ImportOptions, 'onSettled'>,
): Promise<Importer['counts']> {
  using progress = new Progress();
  const startedAt = performance.now();
  const onSettled = (): void => {
    const seconds = (performance.now() - startedAt) / 1000;
    progress.show(`Importing ${options.realmId}: ${progressOf(source, importer, seconds)}`);
  };
  const importer = new Importer(ledger, { ...options, onSettled });
  try {
    for await (const rows of source.rows()) await importer.add(rows);
    await importer.finish();
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof InDoubt)) throw error;
    const again = 'Run it again: what was written is not written twice.';
    throw new OperatorError('import-stopped', `The import stopped: ${error.message}. ${again}`);
  }
  return importer.counts;
}

/** Of the rows that were read, some have not been written yet. */
function progressOf(source: Source, { counts, settled }: Importer, seconds: number): string {
  const done = (source.bytesRead / source.size) * (settled / counts.rows);
  const rate = Math.round(settled / seconds).toLocaleString('en');
  const left = counted(Math.ceil(seconds / done - seconds), 'second');
  return `${counted(settled, 'row')} (${Math.floor(100 * done)}%), ${rate} a second, ${left} left`;
}

interface Done {
  realmId: string;
  file: string;
  isDryRun: boolean;
  rows: number;
  enrolled: number;
  present: number;
  updated: number;
  refused: number;
  columns: Record<string, string>;
  ignored: string[];
  refusedFile: string | null;
}

function resultOf({ isDryRun, ...done }: Done): Result {
  const { rows, enrolled, present, updated, refused, columns, ignored, refusedFile } = done;
  const mapped = Object.entries(columns).map(([field, column]) =>
    field === column ? field : `${field} from ${column}`,
  );
  const did = (past: string, verb: string, what: string): string =>
    `${isDryRun ? `Would ${verb}` : past} ${what}`;
  const members = (count: number): string => counted(count, 'member');
  const all = `${members(enrolled)} of realm ${done.realmId}: ${mapped.join(', ')}.`;
  const lines = [
    isDryRun ? 'A dry run: nothing was changed.' : null,
    rows > 0 ? did('Enrolled', 'enrol', all) : `${done.file} has no rows.`,
    ignored.length > 0 ? `Not imported: ${ignored.join(', ')}.` : null,
    present > 0 ? did('Left', 'leave', `${members(present)} unchanged: enrolled already.`) : null,
    updated > 0 ? did('Updated', 'update', `${members(updated)}, except for balances.`) : null,
    refused > 0
      ? did('Refused', 'refuse', `${counted(refused, 'row')}; see ${refusedFile} for the reasons.`)
      : null,
  ];
  return {
    text: lines.flatMap((line) => (line === null ? [] : printable(line))).join('\n'),
    json: { ok: refused === 0, dryRun: isDryRun, ...done },
  };
}
