import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { CURSOR_FAULT } from '../../src/contract/pages.ts';
import { assertFaults } from '../support/checks.ts';
import { STORAGE } from '../support/database.ts';
import { add, hold, newKind, times } from '../support/points.ts';
import { table } from '../support/requests.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Most are refused before a database is asked. */
const RUNS = STORAGE === 'sqlite' ? 50 : 20;
/** A cursor that was not issued is refused, on every list: never a fault, never another list. */
const service = await serviceForFile();
/** The webhook of each realm that has deliveries. */
const heard = new Map<string, string>();
const receiver = createServer((_, response) => response.writeHead(204).end());
await once(receiver.listen(0, '127.0.0.1'), 'listening');
after(() => receiver.close());
const realm = await fill('forged');
const other = await fill('forged-too');

/** A realm whose lists all have several rows. */
async function fill(id: string): Promise<TestRealm> {
  const filled = await service.realm(id);
  await newKind(filled, 'gems');
  const { port } = receiver.address() as AddressInfo;
  for (const webhook of ['quiet', 'heard']) {
    const types = [webhook === 'heard' ? 'member.created' : 'realm.updated'];
    const body = { url: `http://127.0.0.1:${port}/${webhook}`, types };
    const { id: webhookId } = (await filled.expect(201, 'POST', '/webhooks', { body })).json;
    heard.set(id, webhookId);
  }
  for (const memberId of ['1', '2', '9007199254740993']) {
    await filled.member(memberId, 0, { username: `ann${memberId}` });
    await times(3, () => add(filled, memberId, 5));
    await times(2, () => add(filled, memberId, 5, { realmPointId: 'gems' }));
    await times(3, () => hold(filled, memberId, 1));
  }
  for (const offer of ['a', 'b', 'c']) {
    const body = { id: offer, name: offer, gives: { gems: 1 } };
    await filled.expect(201, 'POST', '/offers', { body });
  }
  for (const memberId of ['1', '1', '2']) {
    await filled.expect(201, 'POST', '/offers/a/claims', { body: { memberId } });
  }
  for (const name of ['Ann', 'Ben', 'Cleo']) {
    await filled.expect(201, 'POST', '/people', { body: { name, role: 'viewer' } });
  }
  await times(2, () => filled.issueKey(['read']));
  for (const assetId of ['a', 'b', 'c']) {
    const contract = `0x${assetId.repeat(40)}`;
    const body = { id: assetId, chain: 'eip155:1', standard: 'erc20', contract };
    await filled.expect(201, 'POST', '/assets', { body });
  }
  const deliveries = `/webhooks/${heard.get(id)}/deliveries`;
  while ((await filled.expect(200, 'GET', deliveries)).json.items.length < 3);
  return filled;
}

/** Every list with pages: its path, filters that it takes, and a key that it does not have. */
const lists: Record<string, { path: string; filters: string[]; wrongKeys: unknown[] }> = {
  listRealms: { path: '', filters: [''], wrongKeys: ['', '-a', 'a b', 'x'.repeat(65)] },
  listKeys: { path: '/keys', filters: [''], wrongKeys: ['', 'a_b', 'é', 'k'.repeat(65)] },
  listAssets: { path: '/assets', filters: [''], wrongKeys: ['', 'A', 'a b', 'x'.repeat(65)] },
  listMembers: {
    path: '/members',
    filters: [
      '',
      '&search=ann',
      '&search=ann&status=active',
      '&ids=1,2',
      '&sort=name',
      '&hasWallet=false',
      '&activeFrom=2020-01-01T00:00:00Z&sort=-createdAt',
    ],
    wrongKeys: ['0', '01', '-1', '1.0', '9223372036854775808', '9'.repeat(19), '1e3'],
  },
  memberTransactions: {
    path: '/members/1/transactions',
    filters: ['', '&realmPointId=gems&type=points.added&from=2020-01-01T00:00:00Z'],
    wrongKeys: ['0', '01', '-1', '1e3', '9'.repeat(16)],
  },
  listTransactions: {
    path: '/transactions',
    filters: ['', '&realmPointId=gems&to=2999-01-01T00:00:00Z'],
    wrongKeys: ['0', '01', '-1', '1e3', '9'.repeat(16)],
  },
  memberHolds: {
    path: '/members/1/holds',
    filters: ['', '&status=open'],
    wrongKeys: ['0', '01', '-1', '1e3', '9'.repeat(16)],
  },
  listHolds: {
    path: '/holds',
    filters: ['', '&status=open'],
    wrongKeys: ['0', '01', '-1', '1e3', '9'.repeat(16)],
  },
  listOffers: {
    path: '/offers',
    filters: ['', '&status=open'],
    wrongKeys: ['', 'A', 'a b', 'x'.repeat(65)],
  },
  listClaims: {
    path: '/claims',
    filters: ['', '&status=done', '&offerId=a', '&memberId=1'],
    wrongKeys: ['0', '01', '-1', '1e3', '9'.repeat(16)],
  },
  memberClaims: {
    path: '/members/1/claims',
    filters: ['', '&status=done&offerId=a'],
    wrongKeys: ['0', '01', '-1', '1e3', '9'.repeat(16)],
  },
  listPeople: { path: '/people', filters: [''], wrongKeys: ['', 'a_b', 'é', 'k'.repeat(65)] },
  listWebhooks: { path: '/webhooks', filters: [''], wrongKeys: ['', 'a_b', 'é', 'k'.repeat(65)] },
  listDeliveries: {
    path: '/webhooks/{webhookID}/deliveries',
    filters: [''],
    wrongKeys: ['0', '01', '-1', '1e3', '9'.repeat(16)],
  },
  getLeaderboard: {
    path: '/leaderboard',
    filters: ['', `&window=week&realmPointId=gems&at=${new Date().toISOString()}`],
    wrongKeys: [
      ...['1', '1:', ':1', '1:0', '1:01', '01:1', '-0:1', '1.5:1', '1:1:1'],
      ...['4611686018427387905:1', '-9999999999999999999:1', '1:9223372036854775808'],
    ],
  },
};

test('every list with a cursor is here', () => {
  const paged = table.filter(([, { query }]) => JSON.stringify(query)?.includes('"cursor"'));
  assert.deepEqual(paged.map(([id]) => id).sort(), Object.keys(lists).sort());
});

function pathIn(at: TestRealm, id: string): string {
  if (id === 'listRealms') return '/api/v4/realms';
  const path = lists[id]?.path.replace('{webhookID}', heard.get(at.id) ?? '');
  return `/api/v4/realms/${at.id}${path}`;
}

const read = (id: string, query: string, at = realm): Promise<Reply> =>
  service.send('GET', `${pathIn(at, id)}?${query}`);

async function issued(id: string, filters: string, at = realm): Promise<string> {
  const { status, json, text } = await read(id, `limit=1${filters}`, at);
  assert.equal(status, 200, text);
  assert.equal(typeof json.nextCursor, 'string', `${id} has only one row`);
  return json.nextCursor;
}

type Content = [list: unknown, after: unknown, filters: unknown, ...unknown[]];
const contentOf = (cursor: string): Content =>
  JSON.parse(Buffer.from(cursor, 'base64url').toString());
const forge = (content: unknown): string =>
  Buffer.from(JSON.stringify(content)).toString('base64url');

function assertRefused(reply: Reply): void {
  assertFaults(reply, '/query/cursor');
  assert.equal(reply.json.errors[0].detail, CURSOR_FAULT);
}

const rowsOf = ({ json }: Reply): string[] =>
  (json.items ?? json.members).map((row: Reply['json']) =>
    String(row.transactionId ?? row.holdId ?? row.claimId ?? row.id),
  );

/** Refused, or answered as the same list is with these filters, from some row on. */
async function assertHarmless(id: string, genuine: string, cursor: string): Promise<void> {
  const reply = await read(id, `limit=500&cursor=${encodeURIComponent(cursor)}`);
  if (reply.status === 400) return assertRefused(reply);
  const [list, , filters] = contentOf(cursor);
  assert.equal(list, contentOf(genuine)[0], cursor);
  const query = new URLSearchParams({ limit: '500', ...(filters as Record<string, string>) });
  const whole = await read(id, String(query));
  assert.equal(reply.status, whole.status, `${reply.text} instead of ${whole.text}`);
  assert.equal(reply.json.detail, whole.json.detail);
  if (reply.status !== 200) return;
  const rows = rowsOf(reply);
  assert.deepEqual(rowsOf(whole).slice(rowsOf(whole).length - rows.length), rows, cursor);
}

/** Changes to the text of a cursor. */
const editText = (cursor: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(fc.nat(cursor.length), fc.nat(2), fc.string({ unit: 'binary', maxLength: 3 }))
      .map(([at, cut, put]) => cursor.slice(0, at) + put + cursor.slice(at + cut)),
    fc.nat(cursor.length).map((end) => cursor.slice(0, end)),
    fc.constantFrom(`${cursor}=`, ` ${cursor}`, cursor + cursor, cursor.toUpperCase(), ''),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.integer({ min: 1, max: 1_000 }).map((times) => cursor.repeat(times).slice(0, 5_000)),
  );

const names = fc.constantFrom(
  ...['search', 'wallet', 'account', 'status', 'type', 'from', 'to', 'window', 'realmPointId'],
  ...['limit', 'cursor', '__proto__', 'unknown'],
);
const values = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\0', 'active', 'removed', 'points.added', 'gems', 'week', '1', '-1', '1:1'),
  fc.constantFrom('2020-01-01T00:00:00Z', '2020-02-30T00:00:00Z', '0', 'ann', 'a', '9'.repeat(19)),
);

/** Changes to what a cursor contains. */
function editContent(cursor: string): fc.Arbitrary<string> {
  const content = contentOf(cursor);
  const filters = content[2] as object;
  return fc
    .oneof(
      fc.jsonValue(),
      fc.tuple(fc.nat(3), values).map(([at, value]) => content.toSpliced(at, 1, value)),
      fc.tuple(fc.nat(3), values).map(([at, value]) => content.toSpliced(at, 0, value)),
      fc.tuple(names, values).map(([name, value]) => {
        return content.with(2, Object.fromEntries([...Object.entries(filters), [name, value]]));
      }),
      fc.constant(content.with(2, Object.fromEntries(Object.entries(filters).toReversed()))),
    )
    .map(forge);
}

for (const [id, { filters: queries, wrongKeys }] of Object.entries(lists)) {
  test(`${id}: a changed cursor is refused or harmless`, async () => {
    for (const filters of queries) {
      const cursor = await issued(id, filters);
      const changed = fc.oneof(editText(cursor), editContent(cursor));
      await fc.assert(
        fc.asyncProperty(changed, (forged) => assertHarmless(id, cursor, forged)),
        { numRuns: RUNS },
      );
    }
  });

  test(`${id}: foreign cursors and impossible keys or filters are refused`, async () => {
    for (const filters of queries) {
      const cursor = await issued(id, filters);
      const [list, after, of] = contentOf(cursor);
      const forged = wrongKeys.map((key) => forge([list, key, of]));
      forged.push(forge([list, 1, of]), forge([list, after]), forge([list, after, of, 1]));
      forged.push(forge([list, after, [of]]), forge([list, after, null]), `${cursor}=`);
      forged.push(forge([list, after, { ...(of as object), unknown: '1' }]), 'x'.repeat(4_097));
      forged.push(Buffer.from(JSON.stringify([list, after, of], null, 1)).toString('base64url'));
      for (const name of ['status', 'search', 'window', 'type', 'from', 'realmPointId']) {
        // Empty text means the default kind of points, and is no value of any other filter.
        const empty = name === 'realmPointId' && /Transactions|Leaderboard/.test(id) ? [] : [''];
        for (const value of [...empty, 5, null, ['a']]) {
          forged.push(forge([list, after, { ...(of as object), [name]: value }]));
        }
      }
      for (const [otherId] of Object.entries(lists).filter(([each]) => each !== id)) {
        forged.push(await issued(otherId, ''));
      }
      if (id !== 'listRealms') forged.push(await issued(id, filters, other));
      for (const text of forged) assertRefused(await read(id, `cursor=${text}`));
      assert.equal((await read(id, `cursor=${cursor}`)).status, 200);
    }
  });
}
