/**
 * Optimistic commit: a batch is decided from cached facts before its realms are locked, and sent as
 * one pipeline, in one round trip instead of two.
 *
 * predict -> send guarded -> compare under the lock -> fall back
 *
 * Why a wrong prediction can never be written:
 *
 * 1. Cached facts change only together with a record of the realm's journal. So while the seq and
 *    head of a realm are those in the cache, all cached facts of the realm are true.
 * 2. `lockAndCompare` locks the rows of the realms and reads their seq and head. At READ COMMITTED,
 *    the row that a lock returns is the latest committed one, so the comparison is not older than
 *    the lock, and no other node can write to the realm until this transaction ends.
 * 3. Its result becomes the transaction's setting `cache_valid`, and every write of the batch is
 *    guarded: it changes nothing unless `cache_valid` is true. Raising an error instead would fill
 *    the server's log with what is no failure. A batch with a write that has no guarded form is
 *    committed under the lock from the start.
 * 4. Used idempotency keys are never cached, so `lockAndCompare` looks for those of the batch. The
 *    snapshot of that statement precedes its wait for the lock, so it does not see a key that
 *    another node used during the wait. But then that key's record has changed the head; or it has
 *    no record, and inserting the same key fails; or our command was refused, and a refusal is as
 *    good an answer as a replay.
 * 5. A batch of refusals only writes nothing, so nothing would prove the refusals right: it is
 *    decided under the lock.
 * 6. A batch may be predicted from the changes of a batch that is still in flight before it. If
 *    that one fails, seq and head are not those predicted, and this one is stale, too.
 * 7. If the cache was stale, the transaction commits without changes and throws `StaleCache`. The
 *    writer then calls `forget`. That also resets the realms' hits, so `predict` returns null, and
 *    the batch and the next few ones are committed under the lock.
 */
import type { Decision } from '../../domain/rules/decide.ts';
import { readyOf } from './changes.ts';
import type { Connection } from './connection.ts';
import { StaleCache } from './errors.ts';
import { columns, statement } from './statement.ts';
import { type Attempt, begin, commitBehind, lockTimeout, NotWritten } from './transaction.ts';
import { setCacheValid } from './writes.ts';

/** Locks realms and sets `cache_valid` to whether they are as cached and the keys are unused. */
const lockAndCompare = statement<
  { isValid: string },
  [string[], number[], string[], string[], string[]]
>(
  `SELECT ${setCacheValid(
    `count(*) FILTER (WHERE found.seq = known.seq AND found.head = decode(known.head, 'hex'))
       = cardinality($1::text[])
     AND NOT EXISTS (SELECT FROM unnest($4::text[], $5::text[]) AS wanted(realm_id, key)
       CROSS JOIN LATERAL (SELECT FROM idempotency_keys
         WHERE realm_id = wanted.realm_id AND idempotency_key = wanted.key OFFSET 0) used)`,
  )} AS "isValid"
   FROM unnest($1::text[], $2::bigint[], $3::text[]) AS known(realm_id, seq, head)
   CROSS JOIN LATERAL
     (SELECT seq, head FROM realms WHERE realm_id = known.realm_id FOR UPDATE) found`,
);

/** Returns null, and has sent nothing, if the batch must be committed under the lock. */
export async function commitOptimistically(
  connection: Connection,
  attempt: Attempt,
): Promise<Decision | null> {
  const { needs, onSent, cache } = attempt;
  const facts = cache?.predict(needs);
  if (!cache || !facts) return null;
  const batch = readyOf(attempt, facts);
  const { decision, writes } = batch;
  if (writes.length === 0 || writes.some(({ guarded }) => guarded === null)) return null;
  cache.apply(decision.changes);
  const heads = facts.map(({ realmId, realm }) => ({
    realmId,
    seq: realm?.seq ?? 0,
    head: realm?.head ?? '',
  }));
  const keys = needs.flatMap(({ realmId, idempotencyKeys }) =>
    Array.from(idempotencyKeys, (key) => ({ realmId, key })),
  );
  const cached = [
    ...columns(heads, 'realmId', 'seq', 'head'),
    ...columns(keys, 'realmId', 'key'),
  ] as const;
  const writing = connection.pipeline(() =>
    Promise.all([
      connection.change(begin),
      connection.change(lockTimeout),
      connection.query(lockAndCompare, ...cached),
      ...writes.flatMap(({ guarded, values }) =>
        guarded ? [connection.change(guarded, ...values)] : [],
      ),
    ]),
  );
  const [, , compared] = await commitBehind(connection, writing, batch, onSent);
  if (compared[0]?.isValid === 'true') return decision;
  const cause = new StaleCache('another node wrote to a realm, or a key was already used');
  throw new NotWritten(cause.message, { cause });
}
