import type { Enrolment } from '../../domain/commands.ts';
import { accountKey } from '../../domain/rules/books.ts';

/** A row that has been checked, as far as its place among the others depends on it. */
export interface Keyed {
  enrolment: Enrolment & { memberId: string };
}

/** Members of a batch, as of a call. A running service waits while one is written, some 20 ms. */
export const BATCH = 1_000;
/** Rows of tables. A batch has fewer members if they have many wallets or kinds of points. */
export const MAX_ROWS = 5_000;

/**
 * The database stores members by their ids, so a batch of neighbours changes few pages, where one
 * in the order of most files changes a page for each row of each table. Hence rows are sorted,
 * unless two have the same wallet or account: the first of the file gets it.
 */
export function batchesOf<R extends Keyed>(window: R[]): R[][] {
  const claims = window.flatMap(({ enrolment }) => claimsOf(enrolment).map(({ key }) => key));
  if (new Set(claims).size === claims.length) window.sort(byId);
  const batches: R[][] = [];
  let count = MAX_ROWS;
  for (const row of window) {
    const { fields, wallets, balances } = row.enrolment;
    const rows = 1 + (fields.accounts?.length ?? 0) + wallets.length + balances.length;
    count += rows;
    const batch = batches.at(-1);
    if (batch && batch.length < BATCH && count <= MAX_ROWS) batch.push(row);
    else {
      batches.push([row]);
      count = rows;
    }
  }
  return batches;
}

const byId = ({ enrolment: { memberId: a } }: Keyed, { enrolment: { memberId: b } }: Keyed) =>
  a.length - b.length || (a < b ? -1 : 1);

/** What only one member may have: wallets first, as the rules refuse them. */
export const claimsOf = ({ wallets, fields }: Enrolment) => [
  ...wallets.map(({ key, address }) => ({
    key: `wallet ${key}`,
    code: 'wallet-taken' as const,
    extra: { wallet: address },
  })),
  ...(fields.accounts ?? []).map(accountKey).map((account) => ({
    key: `account ${account}`,
    code: 'account-taken' as const,
    extra: { account },
  })),
];
