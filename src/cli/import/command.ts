import { appendFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { OperatorError } from '../../config/operator-error.ts';
import { oneOf } from '../../config/parsers.ts';
import { operations } from '../../contract/operations.ts';
import { isBalance } from '../../csv/members.ts';
import { InDoubt, Unavailable } from '../../ledger/errors.ts';
import type { Executor, Ledger } from '../../ledger/ledger.ts';
import { define, parseOption, type Result } from '../command.ts';
import { refuseUnusable } from '../output.ts';
import { counted, Progress, printable } from '../terminal.ts';
import { checkArguments, requireRealm, withLedger, withWriter } from '../with-ledger.ts';
import { type Fields, fieldsOf, listed, requireBalances } from './columns.ts';
import { Importer, type ImportOptions, PRESENT } from './importer.ts';
import { openSource, type Source } from './source.ts';
import { importOf, undoImport } from './undo.ts';

/** Bytes of a file, some 5,000 rows: a thread takes as long to start. */
const WORTH_A_THREAD = 262_144;

export const importMembers = define({
  summary: 'Enrols the members of a file, with opening balances.',
  notes:
    'The file is CSV or NDJSON. Each row is a member: id, username, displayName, status,\n' +
    'accounts, wallets, tags, note, metadata and balances.<kind>. Columns of these or of usual names are\n' +
    'found by themselves; --map names others. Run it again after an interruption, or with a\n' +
    'longer file: a member is enrolled once, and no opening balance is added twice.\n' +
    'To members who are enrolled already, --present open gives balances where points have never\n' +
    'moved, and update all but balances. --undo takes back what was made of the same file.\n' +
    'docs/moving.md has more.',
  args: ['realm', 'file'],
  options: {
    map: {
      value: '<field>=<column>',
      multiple: true,
      help: 'Such as balances.points=coins; <field>= leaves one out. May be repeated.',
    },
    'no-balances': { help: 'Import no balances. Necessary if no column is one.' },
    present: {
      value: '<how>',
      help: 'Members already enrolled: skip (default), open, update or refuse.',
    },
    again: { help: 'Also enrol members who were removed, for instance by --undo.' },
    description: { value: '<text>', help: 'The reason of opening balances, for statements.' },
    refused: {
      value: '<file>',
      help: 'A new file for refused rows. Default: <file>.refused.<type>.',
    },
    'dry-run': { help: 'Check every row as an import does, and change nothing.' },
    undo: { help: 'Undo the import of the same file, while nothing of it was spent.' },
  },
  example: 'npx realmkeep import acme members.csv --map id=user_id --map balances.points=coins',
  async run({ args: { realm, file }, values, print }) {
    const { description, undo = false, 'dry-run': isDryRun = false } = values;
    const params = { realmID: realm };
    checkArguments(operations.createMembers, { params, body: { description, members: [{}] } });
    const ifPresent = parseOption('--present', values.present ?? 'skip', oneOf(...PRESENT));
    if (values.refused !== undefined) refuseUnusable('--refused', values.refused);
    // Loaded here, because other commands need no addresses.
    const { parseAddress } = await import('../../web3/address.ts');
    const done = await withLedger(async (ledger) => {
      await requireRealm(ledger, realm);
      if (undo) return undoImport(ledger, { file, by: await importOf(file, realm), isDryRun });
      const kinds = await ledger.query('kinds', { realmId: realm });
      const source = await checkedSource(file, fieldsOf(values, kinds));
      let refusedFile: string | null = null;
      const counts = await importAll(ledger, source, {
        by: await importOf(file, realm),
        description: description ?? null,
        ifPresent,
        again: values.again === true,
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
      const ignored = [...source.ignored];
      const found = { ...counts, columns, ignored, refusedFile };
      return resultOf({
        realmId: realm,
        file,
        isDryRun,
        isSkipping: ifPresent === 'skip',
        ...found,
      });
    });
    print(done);
  },
});

/**
 * Reads all of a file before anything is written: what makes it unusable may be at its end, and
 * which columns it has is known only then.
 */
async function checkedSource(file: string, fields: Fields): Promise<Source> {
  using progress = new Progress();
  const checked = openSource(file, fields);
  for await (const _ of checked.rows()) {
    progress.show(`Reading ${file}: ${Math.floor((100 * checked.bytesRead) / checked.size)}%`);
  }
  requireBalances(checked, fields);
  return openSource(file, fields);
}

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
      progress.show(`Importing ${options.by.realmId}: ${progressOf(source, importer, seconds)}`);
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

const OPENING_HINT = ' Those whose points have never moved get their balances with --present open.';

interface Done extends Readonly<Importer['counts']> {
  realmId: string;
  file: string;
  isDryRun: boolean;
  /** Whether nothing happens to members who are enrolled already. */
  isSkipping: boolean;
  columns: Record<string, string>;
  ignored: string[];
  refusedFile: string | null;
}

function resultOf({ isDryRun, isSkipping, ...done }: Done): Result {
  const { rows, enrolled, present, opened, updated, refused } = done;
  const { columns, ignored, refusedFile } = done;
  const hint = isSkipping && Object.keys(columns).some(isBalance) ? OPENING_HINT : '';
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
    ignored.length > 0 ? `Not imported: ${listed(ignored)}.` : null,
    present > 0
      ? did('Left', 'leave', `${members(present)} unchanged: enrolled already.${hint}`)
      : null,
    opened > 0
      ? did('Gave', 'give', `opening balances to ${members(opened)} enrolled already.`)
      : null,
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
