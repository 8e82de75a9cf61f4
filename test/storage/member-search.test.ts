import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Command } from '../../src/domain/commands.ts';
import type { SearchParams } from '../../src/domain/member-queries.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { command, setUp } from '../domain/histories.ts';
import { naiveMatch, nameText } from '../domain/names.ts';
import { runs, storeForFile } from '../support/stores.ts';

/** Searches of a real store against a comparison of every member's names, id and wallets. */
type Names = [username: string | null, displayName: string | null];
type Status = 'active' | 'frozen';

interface Expected {
  names: Names;
  status: Status;
}

const ledger = new InProcessLedger(await storeForFile());
let realms = 0;

const IDS = ['1', '2', '3', '10', '9007199254740993', '9223372036854775807'];

/** Two of each member, which begin alike. */
const walletsOf = (id: string) => [`aa1S${id}`, `aa11${id}`];
const addressOf = (key: string) => ({ chain: 'solana' as const, key, address: key });

/** Beginnings of ids and of wallets, and what is too short or no beginning. */
const BEGINNINGS = ['1', '2', '90071992', '9', '0', 'aa1', 'aa1S', 'aa11', 'aa1S10', 'AA11', '01'];

/** What a search finds, by definition. */
function isFound(id: string, names: Names, search: string): boolean {
  const word = search.trim();
  const isBeginning = (text: string) => word !== '' && text.startsWith(word);
  const hasWallet = word.length >= 4 && walletsOf(id).some(isBeginning);
  return isBeginning(id) || hasWallet || naiveMatch(names, search);
}

const name = fc.option(nameText, { freq: 4 });
const names: fc.Arbitrary<Names> = fc.tuple(name, name);
const someone = fc.record({ memberId: fc.constantFrom(...IDS), names });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('enrol' as const), of: someone }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), of: someone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('username' as const), of: someone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), of: someone }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), of: someone }) },
);
const searches = fc.record({
  search: fc.oneof(
    nameText,
    fc.constantFrom(...BEGINNINGS),
    fc.tuple(nameText, nameText).map(([one, other]) => `${one} ${other}`),
  ),
  status: fc.constantFrom(null, null, 'active' as const, 'frozen' as const),
  limit: fc.integer({ min: 1, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function commandOf({ do: action, of: { memberId, names } }: Step): Command {
  const [username, displayName] = names;
  switch (action) {
    case 'enrol':
      return command('member.create', {
        memberId,
        fields: { username, displayName },
        wallets: walletsOf(memberId).map(addressOf),
      });
    case 'rename':
      return command('member.update', { memberId, fields: { username, displayName } });
    case 'username':
      return command('member.update', { memberId, fields: { username } });
    case 'freeze':
      return command('member.update', { memberId, fields: {}, status: 'frozen' });
    case 'remove':
      return command('member.remove', { memberId, forfeit: true });
  }
}

function expect(members: Map<string, Expected>, { do: action, of: { memberId, names } }: Step) {
  const before = members.get(memberId);
  if (action === 'enrol' && !before) members.set(memberId, { names, status: 'active' });
  if (!before) return;
  if (action === 'rename') members.set(memberId, { ...before, names });
  if (action === 'username') {
    members.set(memberId, { ...before, names: [names[0], before.names[1]] });
  }
  if (action === 'freeze') members.set(memberId, { ...before, status: 'frozen' });
  if (action === 'remove') members.delete(memberId);
}

/** The ids of all pages; `between` runs after each page. */
async function walk(
  realmId: string,
  { search, status, limit }: { search: string; status: Status | null; limit: number },
  between: () => Promise<void> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let after: SearchParams['after'] = null;
  for (;;) {
    const params: SearchParams = { realmId, search, status, after, limit, now: 0 };
    const { members, next } = await ledger.query('searchMembers', params);
    assert.ok(members.length <= limit);
    ids.push(...members.map(({ id }) => id));
    if (next === null) return ids;
    assert.equal(members.length, limit);
    after = next;
    await between();
  }
}

const execute = (realmId: string, one: Command) => ledger.execute({ ...one, realmId } as never);

async function newRealm(): Promise<string> {
  realms += 1;
  const realmId = `realm-${realms}`;
  for (const one of setUp) await execute(realmId, one);
  return realmId;
}

test('a search finds exactly the members who match, whatever happened before', async () => {
  const rounds = fc.array(fc.tuple(fc.array(step, { maxLength: 8 }), fc.array(searches)), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const realmId = await newRealm();
      const expected = new Map<string, Expected>();
      for (const [steps, asked] of all) {
        await Promise.all(steps.map((one) => execute(realmId, commandOf(one))));
        for (const one of steps) expect(expected, one);
        for (const what of asked) {
          const found = await walk(realmId, what);
          const ids = [...expected].flatMap(([id, { names, status }]) =>
            isFound(id, names, what.search) && (what.status ?? status) === status ? [id] : [],
          );
          assert.deepEqual(found.toSorted(), ids.toSorted());
        }
      }
    }),
    { numRuns: runs(300) },
  );
});

test('a member that keeps its names is found exactly once while others change theirs', async () => {
  const enrolled = fc.uniqueArray(someone, {
    selector: ({ memberId }) => memberId,
    minLength: 2,
  });
  await fc.assert(
    fc.asyncProperty(enrolled, searches, fc.infiniteStream(step), async (all, what, changes) => {
      const realmId = await newRealm();
      for (const of of all) await execute(realmId, commandOf({ do: 'enrol', of }));
      const touched = new Set<string>();
      const ids = await walk(realmId, { ...what, status: null }, async () => {
        const one = changes.next().value;
        // Some members are left alone.
        if (touched.size >= 2 && !touched.has(one.of.memberId)) return;
        touched.add(one.of.memberId);
        await execute(realmId, commandOf(one));
      });
      const kept = all.filter(({ memberId }) => !touched.has(memberId));
      for (const { memberId, names } of kept) {
        const times = ids.filter((id) => id === memberId).length;
        assert.equal(times, isFound(memberId, names, what.search) ? 1 : 0);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('words of equal beginning are walked in the order of words and ids', async () => {
  const realmId = await newRealm();
  const usernames = ['anna', 'ann', 'anton', 'an', 'ann', 'bea an', '\u{1f438}an', 'ａｎ｡'];
  for (const [index, username] of usernames.entries()) {
    const memberId = String(index + 1);
    await execute(
      realmId,
      command('member.create', { memberId, fields: { username }, wallets: [] }),
    );
  }
  for (const limit of [1, 2, 3, 50]) {
    const ids = await walk(realmId, { search: 'an', status: null, limit });
    assert.deepEqual(ids, ['4', '6', '7', '2', '5', '1', '3', '8'], String(limit));
  }
});

test('ids come first, then wallets, then words', async () => {
  const realmId = await newRealm();
  const enrol = (memberId: string, username: string, keys: string[]) =>
    execute(
      realmId,
      command('member.create', { memberId, fields: { username }, wallets: keys.map(addressOf) }),
    );
  await enrol('7', '12345 is my name', []);
  await enrol('12345', 'ann', []);
  await enrol('1234599', 'bob', ['12345Sol']);
  await enrol('8', 'cid', ['12345Zed', '12345Abc']);
  await enrol('123', 'dan', ['12345Mid']);
  for (const limit of [1, 2, 50]) {
    const ids = await walk(realmId, { search: ' 12345 ', status: null, limit });
    assert.deepEqual(ids, ['12345', '1234599', '8', '123', '7'], String(limit));
  }
  assert.deepEqual(await walk(realmId, { search: '12345M', status: null, limit: 1 }), ['123']);
  assert.deepEqual(await walk(realmId, { search: '12345m', status: null, limit: 1 }), []);
});
