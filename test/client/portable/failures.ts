import { isProblem, type RealmHandle, Realmkeep } from '@realmkeep/client';
import { type Cases, collect, equal, fails, type Given, newRealmId, problemOf } from './checks.ts';

async function newRealm({ url, rootKey }: Given): Promise<RealmHandle> {
  const client = new Realmkeep({ url, key: rootKey });
  const realm = client.realm(newRealmId());
  await client.createRealm({ id: realm.id, name: 'Failures' });
  await realm.createMembers([{ id: '1', balances: { points: 1_000 } }, { id: '2' }]);
  return realm;
}

/** The same realm, by another way. */
const through = (url: string, { rootKey }: Given, realm: RealmHandle): RealmHandle =>
  new Realmkeep({ url, key: rootKey, retries: 50, timeoutMs: 60_000 }).realm(realm.id);

/** Browsers and Bun repeat a DELETE themselves, and tell nobody. */
const mayBeGone = (error: unknown): void => {
  if (!isProblem(error, 'removeMember') || error.code !== 'member-not-found') throw error;
};

const WRITES = 40;

export const failureCases: Cases = {
  'each call through cut connections takes effect once': async (given) => {
    const realm = await newRealm(given);
    const cut = through(given.cutUrl, given, realm);
    const numbers = Array.from({ length: WRITES }, (_, index) => index);
    await Promise.all(
      numbers.flatMap((number) => [
        cut.member('1').transfer('2', 1, { description: `transfer ${number}` }),
        cut.member('2').add(1, { description: `credit ${number}` }),
      ]),
    );
    const descriptions = (await collect(realm.transactions({ limit: 500 })))
      .flatMap(({ type, description }) => (type === 'points.opened' ? [] : description))
      .toSorted();
    const expected = numbers.flatMap((number) => [`transfer ${number}`, `credit ${number}`]);
    equal(descriptions, expected.toSorted());
    equal((await realm.member('2').get()).tokenBalance, 2 * WRITES);
  },

  'members that are removed through cut connections are gone': async (given) => {
    const realm = await newRealm(given);
    const cut = through(given.cutUrl, given, realm);
    const ids = Array.from({ length: 20 }, (_, index) => `${index + 100}`);
    await realm.createMembers(ids.map((id) => ({ id })));
    await Promise.all(ids.map((id) => cut.member(id).remove().catch(mayBeGone)));
    equal((await realm.members()).items.length, 2);
    await fails(realm.member('9999').remove(), 'member-not-found');
  },

  'a long list through cut connections takes effect once': async (given) => {
    const realm = await newRealm(given);
    const cut = through(given.cutUrl, given, realm);
    const ids = Array.from({ length: 2_500 }, (_, index) => `${index + 100}`);
    const { results } = await cut.createMembers(ids.map((id) => ({ id })));
    equal(
      results.map(({ memberId }) => memberId),
      ids,
    );
    const entries = ids.map((memberId) => ({ memberId, tokens: 1 }));
    const answer = await cut.batch(entries, { idempotencyKey: 'award' });
    equal(await realm.batch(entries, { idempotencyKey: 'award' }), answer);
    const shorter = realm.batch(entries.slice(0, 999), { idempotencyKey: 'award' });
    await fails(shorter, 'idempotency-key-reused');
    equal((await realm.member('2599').get()).tokenBalance, 1);
    equal((await realm.summary()).members, 2_502);
  },

  'an answer that ends too early is asked for again, wherever it ends': async ({ shortUrl }) => {
    const realm = new Realmkeep({ url: shortUrl, key: 'none' }).realm(newRealmId());
    const ids = Array.from({ length: 250 }, (_, index) => `${index + 1}`);
    const members = await Promise.all(ids.map((id) => realm.member(id).get()));
    equal(
      members.map(({ id }) => id),
      ids,
    );
    await Promise.all(ids.map((id) => realm.member(id).remove().catch(mayBeGone)));
  },

  'a call without an answer ends at its deadline, and names its key': async ({ silentUrl }) => {
    const realm = new Realmkeep({ url: silentUrl, key: 'none' }).realm('acme');
    const start = Date.now();
    const problem = await problemOf(realm.member('1').add(1, { timeoutMs: 300 }));
    equal([problem.code, problem.status], ['timed-out', 0]);
    equal(problem.idempotencyKey?.length, 32);
    equal(Date.now() - start < 10_000, true);
  },

  'the caller can abort a call, and gets its own reason': async ({ silentUrl }) => {
    const member = new Realmkeep({ url: silentUrl, key: 'none' }).realm('acme').member('1');
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const call = member.get({ signal: controller.signal });
    controller.abort(reason);
    equal(await call.catch((error) => error === reason), true);
    equal(await member.get({ signal: AbortSignal.abort(reason) }).catch((e) => e === reason), true);
  },

  'one signal ends many calls, and has one listener': async ({ silentUrl }) => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    };
    const member = new Realmkeep({ url: silentUrl, key: 'none' }).realm('acme').member('1');
    const calls = Array.from({ length: 20 }, () => member.get({ signal }).catch((error) => error));
    const reason = new Error('all of them');
    controller.abort(reason);
    equal(
      (await Promise.all(calls)).every((error) => error === reason),
      true,
    );
    equal(listeners, 1);
  },

  'a service that is not there is a failed connection': async () => {
    const realm = new Realmkeep({ url: 'http://127.0.0.1:1', retries: 1 }).realm('acme');
    await fails(realm.get(), 'connection-failed');
  },

  'a refusal has its code and details': async (given) => {
    const realm = await newRealm(given);
    const error = await problemOf(realm.member('2').transfer('1', 5));
    if (!isProblem(error, 'transferPoints') || error.code !== 'insufficient-points') throw error;
    equal([error.status, error.memberId, error.balance, error.requested], [422, '2', 0, 5]);
    equal(error.message, 'Member 2 has 0 points and needs 5.');
    equal(error.detail, 'Member 2 has 0 points; 5 were requested.');
    equal(isProblem(error, 'changePoints'), false);
    const invalid = await problemOf(realm.member('2').add(0));
    equal(invalid.errors?.[0]?.pointer, '/tokens');
    await fails(
      new Realmkeep({ url: given.url, key: 'wrong' }).realm('acme').get(),
      'unauthorized',
    );
  },

  'a key of your own makes calls one': async (given) => {
    const member = (await newRealm(given)).member('2');
    const mine = { idempotencyKey: 'quest-7' };
    const answers = await Promise.all([member.add(5, mine), member.add(5, mine)]);
    equal(answers[0], answers[1]);
    equal((await member.get()).tokenBalance, 5);
    await fails(member.add(6, mine), 'idempotency-key-reused');
  },

  'ids are exact, and a number that is too large is an error': async (given) => {
    const realm = await newRealm(given);
    const { id } = await realm.createMember({ id: 2n ** 63n - 1n });
    equal(id, '9223372036854775807');
    equal((await realm.member(id).get()).id, id);
    const { items } = await realm.members({ ids: [id, 1n] });
    equal(
      items.map((member) => member.id),
      ['1', id],
    );
    const tooLarge = 80351110224678912 as never;
    for (const call of [
      async () => realm.member(tooLarge).get(),
      async () => realm.member('1').transfer(tooLarge, 5),
      async () => realm.batch([{ memberId: tooLarge, tokens: 5 }]),
      async () => realm.members({ ids: ['1', tooLarge] }),
    ]) {
      equal(await call().catch((error) => error instanceof RangeError), true);
    }
  },

  'a list pages on while others write': async (given) => {
    const realm = await newRealm(given);
    await realm.createMembers(Array.from({ length: 60 }, (_, index) => ({ id: `${index + 10}` })));
    const seen: string[] = [];
    for await (const { id } of realm.members({ limit: 7 })) {
      seen.push(id);
      if (seen.length % 10 === 0) {
        await realm.createMember({ id: `${seen.length + 1_000}` });
        await realm.member('1').add(1);
      }
    }
    const before = seen.filter((id) => Number(id) < 1_000);
    equal(before.length, 62);
    equal(new Set(seen).size, seen.length);
  },
};
