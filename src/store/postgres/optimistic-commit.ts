import type { Needs, RealmFacts } from '../../domain/facts.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import { readyOf } from './changes.ts';
import type { Connection } from './connection.ts';
import { StaleCache } from './errors.ts';
import { byRealm } from './facts.ts';
import { statement } from './statement.ts';
import { begin, commitBehind, NotWritten, type Work, waitFor } from './transaction.ts';
import { setCacheValid } from './writes.ts';

/**
 * Locks realms and compares their ends with those remembered. Keys that were used are never
 * remembered, so they are looked for. One that somebody used while we waited for the lock is not
 * seen here: but its record has changed the head; or, where it has none, the key can't be written a
 * second time; or our command was refused, which it may be as well as answered again.
 */
const lockAndCompare = statement<{ answer: string }, [string[], number[], string[], ...Keys]>(
  `SELECT ${setCacheValid(
    `count(*) FILTER (WHERE found.seq = known.seq AND found.head = decode(known.head, 'hex'))
       = cardinality($1::text[])
     AND NOT EXISTS (SELECT FROM unnest($4::text[], $5::text[]) AS wanted(realm_id, key)
       CROSS JOIN LATERAL (SELECT FROM idempotency_keys
         WHERE realm_id = wanted.realm_id AND idempotency_key = wanted.key OFFSET 0) used)`,
  )} AS answer
   FROM unnest($1::text[], $2::bigint[], $3::text[]) AS known(realm_id, seq, head)
   CROSS JOIN LATERAL
     (SELECT seq, head FROM realms WHERE realm_id = known.realm_id FOR UPDATE) found`,
);

type Keys = [realmIds: string[], keys: string[]];

/**
 * One transaction, in one round: decided by memory, and written if that turns out to be right once
 * the realms are locked. Answers null, and has sent nothing, where memory does not suffice.
 */
export async function commitOptimistically(
  connection: Connection,
  { needs, decide, lockMs, onSent, cache }: Work,
): Promise<Decision | null> {
  const inOrder = needs.toSorted((a, b) => byRealm(a.realmId, b.realmId));
  const facts = cache?.predict(inOrder);
  if (!cache || !facts) return null;
  const { decision, changes, batch, writes } = readyOf(decide(facts));
  // Of refusals alone nothing is written, so nothing would tell whether they are right.
  if (writes.length === 0 || writes.some(({ guarded }) => guarded === null)) return null;
  cache.apply(changes);
  const writing = connection.round(() =>
    Promise.all([
      connection.change(begin),
      connection.change(waitFor(lockMs)),
      connection.query(lockAndCompare, ...endsOf(facts), ...keysOf(inOrder)),
      ...writes.flatMap(({ guarded, values }) =>
        guarded ? [connection.change(guarded, ...values)] : [],
      ),
    ]),
  );
  const [, , compared] = await commitBehind(connection, writing, { batch, decision, onSent });
  if (compared[0]?.answer === 'true') return decision;
  const cause = new StaleCache('somebody else wrote to a realm, or a key was used before');
  throw new NotWritten(cause.message, { cause });
}

function endsOf(facts: RealmFacts[]): [string[], number[], string[]] {
  return [
    facts.map(({ realmId }) => realmId),
    facts.map(({ realm }) => realm?.seq ?? 0),
    facts.map(({ realm }) => realm?.head ?? ''),
  ];
}

function keysOf(needs: Needs[]): Keys {
  const keys = needs.flatMap(({ idempotencyKeys }) => [...idempotencyKeys]);
  const realmIds = needs.flatMap(({ realmId, idempotencyKeys }) =>
    Array.from(idempotencyKeys, () => realmId),
  );
  return [realmIds, keys];
}
