import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { memberPages } from '../../src/cli/with-ledger.ts';
import type { MemberFilter, SortedPage, SortedParams } from '../../src/domain/member-queries.ts';
import type { QueryParams } from '../../src/domain/queries.ts';
import { membersLookedAt } from '../../src/domain/rules/pages.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { command, REALM, setUp } from '../domain/histories.ts';
import { storeForFile } from '../support/stores.ts';

/** Lists in which most members are not shown, against a naive filter of them all. */
const ledger = new InProcessLedger(await storeForFile());
const COUNT = 6_500;
const all = Array.from({ length: COUNT }, (_, index) => String(index + 1));
/** At the beginning, in the middle and at the end; one is the last that a page looks at. */
const frozen = new Set(['1', '2', '999', '1000', '3300', '5000', '6499', '6500']);
const isRemoved = (id: string): boolean =>
  (Number(id) > 1_050 && Number(id) <= 3_250) || (Number(id) % 10 === 5 && Number(id) > 5_500);

const statusOf = (id: string): string =>
  frozen.has(id) ? 'frozen' : isRemoved(id) ? 'removed' : 'active';
const present = all.filter((id) => statusOf(id) !== 'removed');

const accountOf = (id: string) => ({ provider: 'discord', id, username: null });

before(async () => {
  for (const one of setUp) await ledger.execute(one as never);
  for (let at = 0; at < COUNT; at += 500) {
    const members = all.slice(at, at + 500).map((memberId) => ({
      memberId,
      fields: { username: `n${Number(memberId) % 7}`, accounts: [accountOf(memberId)] },
      wallets: [],
      balances: [{ realmPointId: 'points', tokens: (Number(memberId) % 11) + 1 }],
    }));
    const outcome = await ledger.execute(
      command('member.batch', { members, atomic: true, description: null }),
    );
    assert.ok('answer' in outcome, JSON.stringify(outcome));
  }
  const changes = all.flatMap((memberId) => {
    const status = statusOf(memberId);
    if (status === 'removed') return command('member.remove', { memberId, forfeit: true });
    return status === 'frozen' ? command('member.update', { memberId, fields: {}, status }) : [];
  });
  // More removals at once would be refused.
  for (let at = 0; at < changes.length; at += 300) {
    const some = changes.slice(at, at + 300);
    await Promise.all(some.map((one) => ledger.execute(one as never)));
  }
});

const filterOf = (filter: Partial<MemberFilter>): MemberFilter => ({
  wallet: null,
  account: null,
  status: null,
  ...filter,
});

/** The ids of each page. */
async function pages(filter: Partial<MemberFilter>, limit: number): Promise<string[][]> {
  const found: string[][] = [];
  let after: string | null = null;
  do {
    const params: QueryParams<'members'> = {
      realmId: REALM,
      filter: filterOf(filter),
      after,
      limit,
      now: 0,
    };
    const { members, next } = await ledger.query('members', params);
    assert.ok(members.length <= limit);
    assert.ok(next === null || BigInt(next) > BigInt(after ?? 0), 'the walk does not advance');
    found.push(members.map(({ id }) => id));
    after = next;
  } while (after !== null);
  return found;
}

test('pages contain exactly the members with the status, in order', async () => {
  for (const limit of [1, 3, 50, 51, 500]) {
    const walked = (await pages({ status: 'frozen' }, limit)).flat();
    assert.deepEqual(walked, [...frozen], String(limit));
  }
  for (const limit of [40, 50, 500]) {
    const active = present.filter((id) => !frozen.has(id));
    assert.deepEqual((await pages({ status: 'active' }, limit)).flat(), active, String(limit));
    assert.deepEqual((await pages({}, limit)).flat(), present, String(limit));
  }
});

test('a page ends after as many members as it may look at', async () => {
  assert.deepEqual([1, 10, 20, 50, 500].map(membersLookedAt), [1_000, 1_000, 2_000, 5_000, 5_000]);
  const nearly = [
    ['1', '2', '999', '1000', '3300', '5000'],
    ['6499', '6500'],
  ];
  assert.deepEqual(await pages({ status: 'frozen' }, 50), nearly);
  assert.deepEqual(await pages({ status: 'frozen' }, 9), [
    ['1', '2', '999', '1000'],
    ...[[], [], ['3300'], ['5000']],
    ...[[], ['6499', '6500']],
  ]);
});

test('removed members end a page without members, too', async () => {
  const walked = await pages({}, 10);
  assert.deepEqual(walked.flat(), present);
  // Of the 2,200 in a row, the page before has looked at 990.
  assert.equal(walked.filter((page) => page.length === 0).length, 1);
});

test('a full page ends where it is full, and the last one has no further page', async () => {
  const walked = await pages({ status: 'frozen' }, 4);
  assert.deepEqual(walked[0], ['1', '2', '999', '1000']);
  assert.deepEqual(walked.at(-1), ['6499', '6500']);
  assert.deepEqual((await pages({}, 500)).at(-1), present.slice(-(present.length % 500 || 500)));
});

test('an account of a member with another status is no walk to the next one with it', async () => {
  for (const [id, status, found] of [
    ['1', 'frozen', ['1']],
    ['1', 'active', []],
    ['3', 'frozen', []],
    ['3', 'active', ['3']],
    ['3', null, ['3']],
    ['1100', null, []],
  ] as const) {
    assert.deepEqual(await pages({ account: `discord:${id}`, status }, 50), [found], id);
  }
});

test('the command line goes on over pages without members', async () => {
  const walked: string[] = [];
  const filter = filterOf({ status: 'frozen' });
  const all = memberPages<string>((page) =>
    ledger.query('members', { realmId: REALM, filter, ...page }),
  );
  for await (const page of all) {
    walked.push(...page.map(({ id }) => id));
  }
  assert.deepEqual(walked, [...frozen]);
});

/** All members in an order, page by page; each page but the last is full. */
async function sorted(by: SortedParams['by'], limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: SortedParams['after'] = null;
  do {
    const order: SortedParams = { realmId: REALM, by, realmPointId: null, after, limit, now: 0 };
    const page: SortedPage | null = await ledger.query('sortedMembers', order);
    assert.ok(page);
    ids.push(...page.members.map(({ id }) => id));
    if (page.next !== null) assert.equal(page.members.length, limit);
    after = page.next;
  } while (after !== null);
  return ids;
}

test('sorted lists have no removed members to look at', async () => {
  const rank = (id: string, of: number): number => Number(id) % of;
  const orders: [by: SortedParams['by'], ids: string[]][] = [
    ['name', present.toSorted((a, b) => rank(a, 7) - rank(b, 7) || Number(a) - Number(b))],
    ['balance', present.toSorted((a, b) => rank(b, 11) - rank(a, 11) || Number(a) - Number(b))],
  ];
  for (const [by, ids] of orders) assert.deepEqual(await sorted(by, 500), ids, by);
  const newest = await sorted('createdAt', 500);
  assert.deepEqual(newest.toSorted(), present.toSorted());
  assert.equal(new Set(newest).size, present.length);
});
