import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { ProblemCode } from '../../src/contract/problems.ts';
import { problems } from '../../src/contract/problems.ts';
import type { Reply, TestRealm } from './service.ts';

/** Asserts that the reply is this problem, with all members. */
export function assertProblem(reply: Reply, code: ProblemCode, extra: object = {}): void {
  const told = `${reply.status} ${reply.text}`;
  assert.equal(reply.json?.code, code, told);
  assert.equal(reply.status, problems[code].status, told);
  assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/);
  assert.equal(reply.headers['cache-control'], 'no-store');
  assert.equal(reply.headers['x-content-type-options'], 'nosniff');
  const { type, title, status, detail, message, requestId } = reply.json;
  assert.equal(type, `urn:realmkeep:problem:${code}`);
  assert.equal(title, problems[code].title);
  assert.equal(status, reply.status);
  for (const sentence of [detail, message]) assert.match(sentence, /^\S.*[.”"]$/s);
  // Whoever uses the program can do nothing about its faults, nor call the API.
  if ([400, 401, 403, 405, 413, 415].includes(status)) assert.equal(message, detail);
  else assert.doesNotMatch(message, /\b(GET|POST|PUT|PATCH|DELETE) […/]/);
  const later = [429, 503].includes(status) ? reply.headers['retry-after'] : undefined;
  assert.equal(reply.json.retryAfter, later && Number(later));
  assert.equal(requestId, reply.headers['x-request-id']);
  assert.doesNotMatch(
    reply.text,
    /\bundefined\b|\bNaN\b|\[object|node_modules|\bat .*\.ts:|SELECT|INSERT/,
  );
  if (reply.status === 401) assert.equal(reply.headers['www-authenticate'], 'Bearer');
  assert.deepEqual({ ...reply.json, ...extra }, reply.json);
}

/** Asserts an `invalid-request` with exactly these pointers, in any order. */
export function assertFaults(reply: Reply, ...pointers: string[]): void {
  assertProblem(reply, 'invalid-request');
  const faults: { pointer: string; detail: string }[] = reply.json.errors;
  assert.deepEqual(faults.map((fault) => fault.pointer).sort(), pointers.sort());
  for (const { detail } of faults) assert.ok(detail.length > 5, reply.text);
}

/**
 * The seq of the realm's last record. After large batches a slow machine may say that the
 * projections are not ready; then this waits as the service tells its callers to.
 */
async function lastSeq(realm: TestRealm): Promise<number> {
  for (;;) {
    const reply = await realm.send('GET', '/summary');
    if (reply.status === 200) return reply.json.records;
    assertProblem(reply, 'overloaded');
    await setTimeout(Number(reply.headers['retry-after']) * 1_000);
  }
}

/** What changes by itself: the last use of keys, and how far webhooks are. */
const BY_ITSELF = ['lastUsedAt', 'position', 'attempts', 'failingSince', 'nextAttemptAt'];

/** Everything that can be read of a realm, except for that. */
export async function everything(realm: TestRealm): Promise<unknown[]> {
  const paths = ['', '/members?limit=500', '/keys?limit=500', '/points', '/assets', '/webhooks'];
  const replies = await Promise.all(paths.map((path) => realm.expect(200, 'GET', path)));
  return replies.map(({ json }) => {
    for (const item of json.items ?? []) for (const name of BY_ITSELF) delete item[name];
    return json;
  });
}

/** Asserts that `act` changes nothing that can be read, and leaves no record. */
export async function changesNothing<T>(realm: TestRealm, act: () => Promise<T>): Promise<T> {
  const seq = await lastSeq(realm);
  const before = await everything(realm);
  const result = await act();
  assert.deepEqual(await everything(realm), before);
  assert.equal(await lastSeq(realm), seq, 'a record was written');
  return result;
}

/** How many records `act` adds to the journal. */
export async function recordsOf(realm: TestRealm, act: () => Promise<unknown>): Promise<number> {
  const seq = await lastSeq(realm);
  await act();
  return (await lastSeq(realm)) - seq;
}
