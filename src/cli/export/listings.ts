import { iso } from '../../contract/instants.ts';
import { memberBody } from '../../contract/operations/members.ts';
import { guarded } from '../../csv/line.ts';
import { type ExportedMember, memberColumns } from '../../csv/member-cells.ts';
import type { PointKind } from '../../domain/model.ts';
import type { MemberFilter } from '../../domain/queries.ts';
import { instantOf } from '../../domain/rules/clock.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { movementOf, postingsOf } from '../../domain/rules/postings.ts';
import type { Ledger } from '../../engine/ledger.ts';
import { memberPages, pagesOf } from '../with-ledger.ts';

export type Row = Record<string, unknown>;

interface Column {
  name: string;
  /** The value of a row in CSV. */
  cell(row: Row): string;
}

/** Something of a realm that can be exported: columns of a fixed order, and rows. */
export interface Listing {
  columns(kinds: readonly PointKind[]): Column[];
  rows(ledger: Ledger, realmId: string): AsyncGenerator<Row[]>;
}

const plain = (name: string): Column => ({ name, cell: (row) => text(row[name]) });

/** What people have written, and a spreadsheet must not run. */
const written = (name: string): Column => ({ name, cell: (row) => guarded(text(row[name])) });

const text = (value: unknown): string => (value === null || value === undefined ? '' : `${value}`);

const ALL: MemberFilter = { wallet: null, account: null, status: null };

const membersListing: Listing = {
  columns: (kinds) =>
    memberColumns(kinds).map(({ name, cell }) => ({
      name,
      cell: (row) => cell(row as ExportedMember),
    })),
  async *rows(ledger, realmId) {
    for await (const page of memberPages(ledger, realmId, ALL)) {
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
    for await (const page of memberPages(ledger, realmId, ALL)) {
      yield page.flatMap(({ id, balances, held, available }) =>
        Object.entries(balances).map(([kind, balance]) => ({
          memberId: id,
          realmPointId: kind,
          balance,
          held: held[kind] ?? 0,
          available: available[kind] ?? 0,
        })),
      );
    }
  },
};

const statementsListing: Listing = {
  columns: () => [
    ...['transactionId', 'at', 'type', 'memberId', 'realmPointId', 'tokens', 'balance'].map(plain),
    plain('counterpartyId'),
    written('description'),
    plain('actor'),
    plain('reversalOf'),
    plain('erased'),
  ],
  async *rows(ledger, realmId) {
    const pages = pagesOf<JournalRecord>((last, limit) =>
      ledger.query('records', { realmId, after: last?.seq ?? 0, limit }),
    );
    for await (const page of pages) yield page.flatMap(statementRows);
  },
};

/** A row for each member whose points a record moved. */
function statementRows(record: JournalRecord): Row[] {
  const movement = movementOf(record);
  if (!movement) return [];
  const { type, data } = movement;
  const postings = postingsOf(movement);
  return postings.map(({ memberId, realmPointId, tokens, balance }) => ({
    transactionId: record.seq,
    at: iso(instantOf(record.at, data)),
    type,
    memberId,
    realmPointId,
    tokens,
    balance,
    counterpartyId: postings.find((other) => other.memberId !== memberId)?.memberId ?? null,
    description: data.description ?? null,
    actor: record.actor,
    reversalOf: type === 'points.reversed' ? data.reversalOf : null,
    ...(data.erased && { erased: data.erased }),
  }));
}

export const listings = {
  members: membersListing,
  balances: balancesListing,
  statements: statementsListing,
} satisfies Record<string, Listing>;
