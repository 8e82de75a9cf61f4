import { operations } from '../../contract/operations.ts';
import { csvLine } from '../../csv/line.ts';
import type { Ledger } from '../../engine/ledger.ts';
import { define, UsageError } from '../command.ts';
import { intoFile, refuseUnusable, type Sink, toStdout } from '../output.ts';
import { counted, Progress } from '../progress.ts';
import { checkArguments, requireRealm, withLedger } from '../with-ledger.ts';
import { type Listing, listings, type Row } from './listings.ts';

const FORMATS = ['csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];

export const exportRealm = define({
  summary: 'Writes members, balances or statements to a file.',
  notes:
    'The file is CSV or NDJSON. members: one row each, which "import" reads; balances: one for\n' +
    'each member and kind; statements: one for each member and movement of points, oldest\n' +
    'first. Rows go to stdout by default, with or without --json. Names that a spreadsheet\n' +
    'would run as a formula have an apostrophe in front in CSV. docs/moving.md lists the columns.',
  args: ['realm', 'what'],
  options: {
    format: { value: '<format>', help: 'csv or ndjson. Default: as the file is named, or csv.' },
    to: { value: '<file>', help: 'Write to a new file instead of stdout.' },
  },
  example: 'npx realmkeep export acme members --to members.csv',
  async run({ args: { realm, what }, values: { format: typed, to }, print }) {
    checkArguments(operations.listMembers, { params: { realmID: realm } });
    const listing = Object.hasOwn(listings, what) ? listings[what as keyof typeof listings] : null;
    if (listing === null) {
      throw new UsageError(`<what> must be one of ${Object.keys(listings).join(', ')}.`);
    }
    const format = formatOf(typed, to);
    if (to === undefined) {
      await withLedger((ledger) => write(ledger, realm, listing, format, toStdout));
      return;
    }
    refuseUnusable('--to', to);
    const rows = await withLedger((ledger) =>
      intoFile(to, (sink) => write(ledger, realm, listing, format, sink)),
    );
    print({
      text: `Wrote ${counted(rows, 'row')} of realm ${realm} to ${to}`,
      json: { realmId: realm, what, format, rows, file: to },
    });
  },
});

function formatOf(typed: string | undefined, to = ''): Format {
  const name = typed ?? (/\.(ndjson|jsonl)$/i.test(to) ? 'ndjson' : 'csv');
  const format = FORMATS.find((each) => each === name);
  if (format) return format;
  throw new UsageError(`--format must be one of ${FORMATS.join(', ')}.`);
}

async function write(
  ledger: Ledger,
  realmId: string,
  listing: Listing,
  format: Format,
  sink: Sink,
): Promise<number> {
  await requireRealm(ledger, realmId);
  using progress = new Progress();
  const kinds = await ledger.query('kinds', { realmId });
  const columns = listing.columns(kinds);
  if (format === 'csv') await sink(csvLine(columns.map(({ name }) => name)));
  const lineOf = (row: Row): string =>
    format === 'csv' ? csvLine(columns.map(({ cell }) => cell(row))) : `${JSON.stringify(row)}\n`;
  let count = 0;
  for await (const rows of listing.rows(ledger, realmId)) {
    await sink(rows.map(lineOf).join(''));
    count += rows.length;
    // Not in between the rows, if both go to the same terminal.
    if (sink !== toStdout || !process.stdout.isTTY) {
      progress.show(`Exporting ${realmId}: ${counted(count, 'row')}`);
    }
  }
  return count;
}
