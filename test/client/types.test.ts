import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CallOptions,
  type CodeOf,
  type EventData,
  isProblem,
  type OperationId,
  type Operations,
  operations,
  type ProblemCode,
  type RealmHandle,
  type WriteOptions,
} from '@realmkeep/client';
import { problemCodes } from '../../scripts/openapi/problem-answers.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations as contract } from '../../src/contract/operations.ts';
import type { ProblemCode as ContractCode } from '../../src/contract/problems.ts';
import type { Records } from '../../src/domain/records.ts';

/**
 * Most of this file is checked by the compiler alone: `@ts-expect-error` is an error where the next
 * line has none.
 */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_ extends true>(): void => {};

/** Every code of the contract is a code of the client. */
holds<Same<Exclude<ContractCode, ProblemCode>, never>>();
/** An event has exactly the data that the journal's records have. */
holds<
  Same<{ [T in keyof Records]: Flat<Records[T]> }, { [T in keyof EventData]: Flat<EventData[T]> }>
>();
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
/** Options and fields travel in one object, so no field may have the name of an option. */
type FieldsOf<Op extends OperationId> = Op extends OperationId
  ? keyof Operations[Op]['fields']
  : never;
type Read = 'listTransactions';
holds<Same<Extract<FieldsOf<Exclude<OperationId, Read>>, keyof WriteOptions>, never>>();
/** A read has no key of its own, and may look for what another call did by its key. */
holds<Same<Extract<FieldsOf<Read>, keyof CallOptions>, never>>();

test('the client has every operation of the contract, as it is', () => {
  const described = Object.entries<Operation>(contract).map(([id, { method, path }]) => [
    id,
    [method, path],
  ]);
  assert.deepEqual(operations, Object.fromEntries(described));
});

/** Has to list the codes that its type has, or it does not compile. */
const codesOf =
  <Op extends OperationId>(operation: Op) =>
  (codes: Record<Exclude<CodeOf<Op>, ClientCode>, true>): [Op, string[]] => [
    operation,
    Object.keys(codes),
  ];
type ClientCode = 'connection-failed' | 'timed-out' | 'unexpected-answer';

test('the codes of an operation are those of the contract', () => {
  const [id, codes] = codesOf('listRealms')({
    'invalid-request': true,
    unauthorized: true,
    'insufficient-scope': true,
    'rate-limited': true,
    'headers-too-large': true,
    internal: true,
    overloaded: true,
    'storage-full': true,
    'storage-unavailable': true,
  });
  assert.deepEqual(codes.toSorted(), problemCodes(contract[id]).toSorted());
});

/** Never called. */
void compiles;
async function compiles(realm: RealmHandle, error: unknown): Promise<void> {
  await realm.member('1').add(5, { description: 'Quest reward', idempotencyKey: 'quest-7' });
  await realm.member(1n).transfer(2n, 5, { realmPointId: 'gems', timeoutMs: 500 });
  const wallets = ['0x52908400098527886E0F7030069857D2E4169EE7'] as const;
  await realm.includes(wallets);
  await realm.createMember({ wallets, displayName: undefined, signal: undefined });
  await realm.batch([{ memberId: '1', tokens: 5 }] as const, { description: undefined });
  await realm.webhook('1').test({ idempotencyKey: 'test-1' });
  // @ts-expect-error A read has no use for a key,
  await realm.member('1').get({ idempotencyKey: 'quest-7' });
  // @ts-expect-error and a deletion has none.
  await realm.member('1').remove({ idempotencyKey: 'quest-7' });
  // @ts-expect-error A misspelt field.
  await realm.member('1').add(5, { desciption: 'Quest reward' });
  // @ts-expect-error A field of another operation.
  await realm.member('1').hold(5, { recipientId: '2' });
  // @ts-expect-error Points are numbers.
  await realm.member('1').add('5');
  // @ts-expect-error A number is no id: beyond 2^53 it loses digits.
  await realm.member(80351110224678912).get();
  // @ts-expect-error The same in a transfer,
  await realm.member('1').transfer(80351110224678912, 5);
  await realm.members({ ids: ['80351110224678912', 175928847299117063n] });
  // @ts-expect-error in a filter,
  await realm.members({ ids: [80351110224678912] });
  // @ts-expect-error and in a batch.
  await realm.batch([{ memberId: 80351110224678912, tokens: 5 }]);
  // @ts-expect-error There is no such window.
  await realm.leaderboard({ window: 'year' });
  // @ts-expect-error A member has no such field.
  console.log((await realm.member('1').get()).points);
  // @ts-expect-error There is no such type of event.
  realm.stream({ types: ['points.lost'] });
  for await (const event of realm.stream({ types: ['points.added', 'member.frozen'] })) {
    // @ts-expect-error One of the types has no tokens.
    console.log(event.data.tokens);
    if (event.type === 'points.added') console.log(event.data.tokens);
  }
  if (isProblem(error, 'transferPoints')) {
    // @ts-expect-error Which code it is, is not known yet.
    console.log(error.balance);
    if (error.code === 'insufficient-points') console.log(error.balance + error.requested);
    // @ts-expect-error A transfer cannot fail with this code.
    if (error.code === 'hold-closed') throw error;
    // @ts-expect-error Nothing can fail with this one.
    if (error.code === 'insuficient-points') throw error;
  }
  if (isProblem(error) && error.code === 'hold-closed') console.log(error.holdStatus);
  // @ts-expect-error There is no such operation.
  isProblem(error, 'transfer');
}
