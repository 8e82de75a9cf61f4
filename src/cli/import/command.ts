import { appendFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { OperatorError } from '../../config/operator-error.ts';
import { oneOf } from '../../config/parsers.ts';
import { operations } from '../../contract/operations.ts';
import { InDoubt, Unavailable } from '../../ledger/errors.ts';
import type { Executor, Ledger } from '../../ledger/ledger.ts';
import { define, parseOption, type Result } from '../command.ts';
import { refuseUnusable } from '../output.ts';
import { counted, Progress, printable } from '../terminal.ts';
import { checkArguments, requireRealm, withLedger, withWriter } from '../with-ledger.ts';
import { fieldsOf } from './columns.ts';
import { Importer, type ImportOptions, PRESENT } from './importer.ts';
import { openSource, type Source } from './source.ts';

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
    const { description, map = [] } = values;
    const params = { realmID: realm };
    checkArguments(operations.createMembers, { params, body: { description, members: [{}] } });
    const ifPresent = parseOption('--present', values.present ?? 'skip', oneOf(...PRESENT));
    if (values.refused !== undefined) refuseUnusable('--refused', values.refused);
    const isDryRun = values['dry-run'] === true;
    // Loaded here, because other commands need no addresses.
    const { parseAddress } = await import('../../web3/address.ts');
    const done = await withLedger(async (ledger) => {
      await requireRealm(ledger, realm);
      const kinds = await ledger.query('kinds', { realmId: realm });
      const source = openSource(file, fieldsOf(map, kinds));
      let refusedFile: string | null = null;
      const counts = await importAll(ledger, source, {
        realmId: realm,
        description: description ?? null,
        ifPresent,
        isDryRun,
        parseAddress,
        source,
        defaultKind: kinds.find(({ isDefault }) => isDefault)?.id ?? '',
        onRefused: (row, reason) => {
          refusedFile ??= createRefusedFile(source, file, values.refused);
          appendFileSync(refusedFile, row.refused(reason));
        },
      });
      const columns = Object.fromEntries(source.used);
      return { ...counts, columns, ignored: [...source.ignored], refusedFile };
    });
    print(resultOf({ realmId: realm, file, isDryRun, ...done }));
  },
});

async function importAll(
  ledger: Ledger,
  source: Source,
  options: Omit<ImportOptions, 'onSettled'>,
): Promise<Importer['counts']> {
  using progress = new Progress();
  const startedAt = performance.now();
  const importWith = async (writer: Executor) => {
    const onSettled = (): void => {
      const seconds = (performance.now() - startedAt) / 1000;
      progress.show(`Importing ${options.realmId}: ${progressOf(source, importer, seconds)}`);
    };
    const importer = new Importer(writer, { ...options, onSettled });
    for await (const rows of source.rows()) await importer.add(rows);
    await importer.finish();
    return importer.counts;
  };
  try {
    const isLarge = source.size > WORTH_A_THREAD;
    return await (isLarge ? withWriter(ledger, importWith) : importWith(ledger));
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof InDoubt)) throw error;
    const again = 'Run it again: what was written is not written twice.';
    throw new OperatorError('import-stopped', `The import stopped: ${error.message}. ${again}`);
  }
}

/** Beside the file. One that exists may have been corrected by hand, or be of another import. */
function createRefusedFile(source: Source, file: string, given?: string, number = 1): string {
  const extension = extname(file);
  const stem = file.slice(0, file.length - extension.length);
  const path = given ?? `${stem}.refused${number === 1 ? '' : `-${number}`}${extension}`;
  try {
    writeFileSync(path, source.refusedHeader, { flag: 'wx', mode: 0o600 });
    return path;
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (isTaken && given === undefined) return createRefusedFile(source, file, given, number + 1);
    throw error;
  }
}

/** Of the rows that were read, some have not been written yet. */
function progressOf(source: Source, { counts, settled }: Importer, seconds: number): string {
  const done = (source.bytesRead / source.size) * (settled / counts.rows);
  const rate = Math.round(settled / seconds).toLocaleString('en');
  const left = counted(Math.ceil(seconds / done - seconds), 'second');
  return `${counted(settled, 'row')} (${Math.floor(100 * done)}%), ${rate} a second, ${left} left`;
}

interface Done extends Readonly<Importer['counts']> {
  realmId: string;
  file: string;
  isDryRun: boolean;
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
