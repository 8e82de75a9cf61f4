import { randomUUID } from 'node:crypto';
import { memberIds, REALM, randomPair } from '../community.ts';
import { fill } from '../load.ts';
import type { Ready } from '../servers/announce.ts';
import { plainRoute } from './baselines.ts';
import { bearer, type Case, type Finding, pathOf } from './case.ts';
import { transferRequest } from './transfer-request.ts';

const MEMBERS_PATH = pathOf(REALM, 'members');

export const transfer: Case = {
  name: 'durable transfer',
  server: 'realmkeep',
  connections: [1, 64, 256],
  targets: { 64: 0.75 },
  reaches: [{ timesOf: plainRoute, atLeast: { 64: 0.66 } }],
  request: transferRequest,
  check: async (server) => {
    const sumBefore = await sumOfBalances(server);
    const firstRecord = await transferOnce(server);
    return async (acknowledged) => [
      await journalHasAll(server, firstRecord, acknowledged),
      await booksBalance(server, sumBefore),
    ];
  },
};

/** An answer that was only a replay would leave no record. */
async function journalHasAll(
  server: Ready,
  firstRecord: number,
  acknowledged: number,
): Promise<Finding> {
  const recorded = (await transferOnce(server)) - firstRecord - 1;
  const [answered, written] = [acknowledged, recorded].map((count) => count.toLocaleString('en'));
  return {
    claim: 'every answered transfer is in the journal',
    // There may be more: those in flight when the load generator stopped.
    ok: recorded >= acknowledged,
    detail: `${answered} answered, ${written} recorded`,
  };
}

async function booksBalance(server: Ready, sumBefore: number): Promise<Finding> {
  const sum = await sumOfBalances(server);
  const [before, after] = [sumBefore, sum].map((points) => points.toLocaleString('en'));
  return {
    claim: 'books balance',
    ok: sum === sumBefore,
    detail: `${before} points before, ${after} after`,
  };
}

/** Makes one transfer and returns the seq of its record. */
async function transferOnce(server: Ready): Promise<number> {
  const { method, path, headers, body } = fill(transferRequest(server), {
    realm: REALM,
    ...randomPair(),
    key: randomUUID(),
  });
  const answer = await fetch(server.url + path, { method, headers, body });
  if (answer.status !== 200) throw new Error(`a transfer got ${answer.status}`);
  return ((await answer.json()) as { transactionId: number }).transactionId;
}

/** While transfers of the load are still being written, the pages do not add up. */
async function sumOfBalances(server: Ready): Promise<number> {
  for (;;) {
    const before = await newestTransaction(server);
    const sum = await sumOfPages(server);
    if ((await newestTransaction(server)) === before) return sum;
  }
}

async function newestTransaction(server: Ready): Promise<number | undefined> {
  const path = pathOf(REALM, 'transactions?limit=1');
  const answer = await fetch(server.url + path, { headers: bearer(server) });
  if (answer.status !== 200) throw new Error(`the list of transactions got ${answer.status}`);
  const { items } = (await answer.json()) as { items: { transactionId: number }[] };
  return items[0]?.transactionId;
}

async function sumOfPages(server: Ready): Promise<number> {
  let sum = 0;
  let count = 0;
  let query = 'limit=500';
  while (query !== '') {
    const answer = await fetch(`${server.url}${MEMBERS_PATH}?${query}`, {
      headers: bearer(server),
    });
    if (answer.status !== 200) throw new Error(`the list of members got ${answer.status}`);
    const page = (await answer.json()) as {
      items: { tokenBalance: number }[];
      nextCursor: string | null;
    };
    for (const { tokenBalance } of page.items) sum += tokenBalance;
    count += page.items.length;
    query = page.nextCursor === null ? '' : `limit=500&cursor=${page.nextCursor}`;
  }
  if (count !== memberIds.length) throw new Error(`only ${count} members were listed`);
  return sum;
}
