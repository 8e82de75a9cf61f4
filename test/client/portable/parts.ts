import { type RealmHandle, Realmkeep } from '@realmkeep/client';
import { type Cases, equal, problemOf } from './checks.ts';

interface SentPart {
  ids: string[];
  key: string;
  bytes: number;
}

/** A realm that does what it is asked for, except for the calls that have another answer. */
function realmBut(others: Record<number, () => Response>) {
  const sent: SentPart[] = [];
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    const text = String(init.body);
    const { entries, members } = JSON.parse(text);
    const ids: string[] = entries
      ? entries.map(({ memberId }: { memberId: string }) => memberId)
      : members.map(({ id }: { id: string }) => id);
    const key = new Headers(init.headers).get('idempotency-key') ?? '';
    sent.push({ ids, key, bytes: new TextEncoder().encode(text).length });
    const results = ids.map((memberId) => ({ memberId }));
    return others[sent.length]?.() ?? Response.json({ message: 'Ok', results });
  };
  const realm: RealmHandle = new Realmkeep({ url: 'http://service.test', fetch }).realm('acme');
  return { realm, sent };
}

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at + 1));
const creditsOf = (count: number) => idsOf(count).map((memberId) => ({ memberId, tokens: 1 }));
const award = { idempotencyKey: 'award' };

export const partCases: Cases = {
  'a list is sent in parts of 1,000, and its results are joined in order': async () => {
    const { realm, sent } = realmBut({});
    const { message, results } = await realm.batch(creditsOf(2_500), award);
    equal(message, 'Ok');
    equal(
      results.map(({ memberId }) => memberId),
      idsOf(2_500),
    );
    equal(
      sent.map(({ ids, key }) => [ids.length, key]),
      [
        [1_000, 'award'],
        [1_000, 'award:2'],
        [500, 'award:3'],
      ],
    );
  },

  'a list that fits into a call is one, with the key as it is': async () => {
    const { realm, sent } = realmBut({});
    for (const count of [0, 1, 1_000]) await realm.batch(creditsOf(count), award);
    equal(
      sent.map(({ ids, key }) => [ids.length, key]),
      [
        [0, 'award'],
        [1, 'award'],
        [1_000, 'award'],
      ],
    );
  },

  'a part has fewer entries if they are long, in bytes': async () => {
    const { realm, sent } = realmBut({});
    const metadata = { note: '€'.repeat(2_500) };
    await realm.createMembers(idsOf(300).map((id) => ({ id, metadata })));
    equal(
      sent.flatMap(({ ids }) => ids),
      idsOf(300),
    );
    equal(sent.length, 5);
    equal(
      sent.every(({ bytes }) => bytes <= 512 * 1_024),
      true,
    );
  },

  'the keys of parts are no longer than a key may be, and each is another': async () => {
    const { realm, sent } = realmBut({});
    await realm.batch(creditsOf(1_001));
    await realm.batch(creditsOf(1_001), { idempotencyKey: 'k'.repeat(253) });
    await realm.batch(creditsOf(1_001), { idempotencyKey: 'k'.repeat(255) });
    const keys = sent.map(({ key }) => key);
    equal(new Set(keys).size, 6);
    equal(
      keys.map(({ length }) => length),
      [32, 34, 253, 255, 255, 64],
    );
  },

  'a failure says how many were done, and the same call goes on after them': async () => {
    const errors = [{ pointer: '/entries/7/tokens', detail: 'must not be 0' }];
    const invalid = {
      code: 'invalid-request',
      message: 'entries[7].tokens must not be 0.',
      errors,
    };
    const { realm, sent } = realmBut({ 2: () => Response.json(invalid, { status: 400 }) });
    const problem = await problemOf(realm.batch(creditsOf(2_001), award));
    equal(
      [problem.code, problem.done, problem.idempotencyKey],
      ['invalid-request', 1_000, 'award'],
    );
    equal(problem.errors?.[0]?.pointer, '/entries/1007/tokens');
    equal(problem.message, 'entries[1007].tokens must not be 0.');
    await realm.batch(creditsOf(2_001), award);
    equal(
      sent.map(({ key }) => key),
      ['award', 'award:2', 'award', 'award:2', 'award:3'],
    );
  },

  'what cannot be sent is an error before any part is': async () => {
    const { realm, sent } = realmBut({});
    const wrong = { memberId: '1', tokens: Number.NaN };
    const error = await realm.batch([...creditsOf(2_000), wrong]).catch((reason) => reason);
    equal([error instanceof RangeError, sent.length], [true, 0]);
  },
};
