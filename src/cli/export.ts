import { oneOf } from '../config/parsers.ts';
import { iso } from '../contract/instants.ts';
import { memberBody } from '../contract/operations/members.ts';
import { operations } from '../contract/operations.ts';
import { jsonText, shownSum } from '../contract/sums.ts';
import { csvLine, guarded } from '../csv/csv.ts';
import { type ExportedMember, memberColumns } from '../csv/members.ts';
import type { MemberFilter } from '../domain/member-queries.ts';
import type { PointKind } from '../domain/model.ts';
import { movementOf, postingsOf } from '../domain/movements.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { transactionsOf } from '../domain/rules/statements.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { define, parseOption } from './command.ts';
import { exportTo, type Outlet } from './output.ts';
import { counted } from './terminal.ts';
import { checkArguments, memberPages, recordPages, requireRealm } from './with-ledger.ts';

type Row = Record<string, unknown>;

interface Column {
  name: string;
  /** The value of a row in CSV. */
  cell(row: Row): string;
}

/** Something of a realm that can be exported: columns of a fixed order, and rows. */
interface Listing {
  columns(kinds: readonly PointKind[]): Column[];
  rows(ledger: Ledger, realmId: string): AsyncGenerator<Row[]>;
}

/** What people have written, a spreadsheet must not run. */
const plain = (name: string): Column => ({
  name,
  cell: ({ [name]: value }) => {
    if (typeof value === 'string') return guarded(value);
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value ?? ''}`;
  },
});

const ALL: MemberFilter = { wallet: null, account: null, status: null };

const allMembers = (ledger: Ledger, realmId: string) =>
  memberPages<string>((page) => ledger.query('members', { realmId, filter: ALL, ...page }));

const membersListing: Listing = {
  columns: (kinds) =>
    memberColumns(kinds).map(({ name, cell }) => ({
      name,
      cell: (row) => cell(row as ExportedMember),
    })),
  async *rows(ledger, realmId) {
    for await (const page of allMembers(ledger, realmId)) {
      yield page.map((member) => {
        const { realmId: _, tokenBalance, held, available, ...row } = memberBody(member);
        return row;
      });
    }
  },
};

const balancesListing: Listing = {
  columns: () => ['memberId', 'realmPointId', 'balance', 'held', 'available'].map(plain),
  async *rows(ledger, realmId) {
    for await (const page of allMembers(ledger, realmId)) {
      yield page.flatMap(({ id, balances, held, available }) =>
        Object.entries(balances).map(([kind, balance]) => ({
          memberId: id,
          realmPointId: kind,
          balance,
          held: shownSum(held[kind] ?? 0),
          available: shownSum(available[kind] ?? 0),
        })),
      );
    }
  },
};

const STATEMENT = (
  'transactionId at type memberId realmPointId tokens balance counterpartyId description actor ' +
  'reversalOf erased reference metadata onBehalfOf'
).split(' ');

const statementsListing: Listing = {
  columns: () => STATEMENT.map(plain),
  async *rows(ledger, realmId) {
    for await (const page of recordPages(ledger, realmId)) yield page.flatMap(statementRows);
  },
};

/** What a record is in the statement of each member whose points it moved. */
function statementRows(record: JournalRecord): Row[] {
  const movement = movementOf(record);
  const members = new Set(movement && postingsOf(movement).map(({ memberId }) => memberId));
  return [...members].flatMap((memberId) =>
    transactionsOf(record, undefined, { memberId }).map((transaction) => {
      const row: Row = { ...transaction, at: iso(transaction.at) };
      const names = STATEMENT.filter((name) => row[name] !== undefined);
      return Object.fromEntries(names.map((name) => [name, row[name]]));
    }),
  );
}

const listings = {
  members: membersListing,
  balances: balancesListing,
  statements: statementsListing,
};
const listingNames = Object.keys(listings) as (keyof typeof listings)[];

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
    const listing = listings[parseOption('<what>', what, oneOf(...listingNames))];
    const byName = /\.(ndjson|jsonl)$/i.test(to ?? '') ? 'ndjson' : 'csv';
    const format = parseOption('--format', typed ?? byName, oneOf('csv', 'ndjson'));
    const rows = await exportTo(to, (ledger, outlet) =>
      write(ledger, realm, listing, format, outlet),
    );
    if (to === undefined) return;
    print({
      text: `Wrote ${counted(rows, 'row')} of realm ${realm} to ${to}`,
      json: { realmId: realm, what, format, rows, file: to },
    });
  },
});

async function write(
  ledger: Ledger,
  realmId: string,
  listing: Listing,
  format: 'csv' | 'ndjson',
  outlet: Outlet,
): Promise<number> {
  await requireRealm(ledger, realmId);
  const kinds = await ledger.query('kinds', { realmId });
  const columns = listing.columns(kinds);
  if (format === 'csv') await outlet.write(csvLine(columns.map(({ name }) => name)));
  const lineOf = (row: Row): string =>
    format === 'csv' ? csvLine(columns.map(({ cell }) => cell(row))) : `${jsonText(row)}\n`;
  let count = 0;
  for await (const rows of listing.rows(ledger, realmId)) {
    await outlet.write(rows.map(lineOf).join(''));
    count += rows.length;
    outlet.show(`Exporting ${realmId}: ${counted(count, 'row')}`);
  }
  return count;
}
