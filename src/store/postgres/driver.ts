import { type Prepared, postgres, prepare } from '../dialect.ts';
import { textOf as sqlOf } from '../rows.ts';
import type { Ask, LookUp, Operation, Params, Statement } from '../statement.ts';
import type { SqlValue } from '../table.ts';
import type { Shard } from './citus/catalogue.ts';
import { type PlacedAsk, type ShardOf, splitByShard } from './citus/placement.ts';
import type { Connection } from './connection.ts';
import { objectsOf, type Request, type Result } from './pipeline.ts';
import { type PgStatement, type Sql, statement } from './statement.ts';
import { writing } from './writes.ts';

/** Runs an operation to its end: what it asks at once is sent as one pipeline. */
export async function runOn<T>(
  connection: Connection,
  operation: Operation<T>,
  { before = [], shardOf = null }: { before?: readonly Request[]; shardOf?: ShardOf | null } = {},
): Promise<T> {
  // Sent in front of what it asks first.
  let first = before;
  let step = operation.next();
  while (!step.done) {
    const requests = requestsFor(step.value, shardOf);
    const answers = await answersTo(connection, [...first, ...requests]);
    step = operation.next(answers.slice(first.length));
    first = [];
  }
  return step.value;
}

export const command = (which: PgStatement<never, []>): Request => ({
  executions: [{ statement: which, values: [] }],
  read: () => undefined,
});

export async function answersTo(
  connection: Connection,
  requests: readonly Request[],
): Promise<unknown[]> {
  const results = await connection.execute(requests.flatMap(({ executions }) => executions));
  let at = 0;
  return requests.map(({ executions, read }) => {
    const own = results.slice(at, at + executions.length);
    at += executions.length;
    return read(own);
  });
}

/** What is asked, ready to be sent: whatever can fail here fails before anything is sent. */
export const requestsFor = (asks: readonly PlacedAsk[], shardOf: ShardOf | null): Request[] =>
  asks.map((one) => {
    if (one.shard) return requestOn(one.shard, one);
    if (!shardOf) return requestFor(one);
    return joined(splitByShard(one, shardOf).map((part) => requestOn(part.shard as Shard, part)));
  });

function requestOn(shard: Shard, one: Ask): Request {
  const { executions, read } = requestFor(one);
  const renamed = executions.map(({ statement: which, values }) => ({
    statement: shard.rename(which),
    values,
  }));
  return { executions: renamed, read };
}

/** Several requests as one, whose answer is the sum of counts, or all rows. */
function joined(requests: readonly Request[]): Request {
  const [only] = requests;
  if (only && requests.length === 1) return only;
  const read = (results: readonly Result[]): unknown => {
    const parts = requests.map((request, at) => request.read(results.slice(at, at + 1)));
    return parts.every((part) => typeof part === 'number')
      ? parts.reduce((sum, part) => sum + part, 0)
      : parts.flat();
  };
  return { executions: requests.flatMap(({ executions }) => executions), read };
}

function requestFor(one: Ask): Request {
  if ('write' in one) {
    return { executions: [writing(one.write, one.rows)], read: ([result]) => result?.count };
  }
  if ('lookUp' in one) return lookUpFor(one);
  const { statement: which, params } = one;
  const { statement: own, names } = preparedOf(which);
  const read = ([result]: readonly Result[]) =>
    which.isChange ? result?.count : rowsOf(which, result as Result);
  return { executions: [{ statement: own, values: argumentsOf(names, params) }], read };
}

const rowsOf = ({ decode }: Statement<unknown, never>, result: Result): unknown[] =>
  decode ? result.rows.map((row) => decode(row as SqlValue[])) : objectsOf(result);

interface Sent extends Pick<Prepared, 'names'> {
  statement: PgStatement<never, Sql[]>;
}

const sent = (text: string, names: string[] = []): Sent => {
  const prepared = prepare(postgres, text, names);
  return { statement: statement(prepared.text), names: prepared.names };
};

const statementsSent = new WeakMap<object, Sent>();

export const preparedOf = (which: Statement<unknown, never>): Sent =>
  statementsSent.getOrInsertComputed(which, () => sent(sqlOf(postgres, which.text)));

/** Looks up one key, several of one realm, or those of many realms. */
type SentLookUp = Record<'sole' | 'one' | 'many', Sent>;

const lookUpsSent = new WeakMap<object, SentLookUp>();

/**
 * One statement for all keys. For one realm, it can be sent to the server that stores the realm;
 * for many, a thousand quiet realms are as cheap as a busy one. The look-ups are subqueries that
 * the planner cannot turn into a join: `= ANY` became a scan while there were no statistics yet.
 */
export const preparedLookUp = (which: LookUp<unknown>): SentLookUp =>
  lookUpsSent.getOrInsertComputed(which, () => ({
    sole: sent(sqlOf(postgres, which.select)),
    one: lookUpText(which, ':realm', `unnest(:keys::${which.keyType}[]) AS wanted(key)`),
    many: lookUpText(
      which,
      'wanted.realm_id',
      `unnest(:realm::text[], :keys::${which.keyType}[]) AS wanted(realm_id, key)`,
    ),
  }));

function lookUpText({ select }: LookUp<unknown>, realm: string, wanted: string): Sent {
  const found = sqlOf(postgres, select)
    .replaceAll(/:realm\b/g, realm)
    .replaceAll(/:key\b/g, 'wanted.key');
  const from = `FROM ${wanted} CROSS JOIN LATERAL (${found} OFFSET 0) found`;
  const shown = realm === ':realm' ? ':realm::text' : realm;
  return sent(`SELECT ${shown}, found.* ${from}`, ['realm', 'keys']);
}

function lookUpFor({ lookUp, ...asked }: Extract<Ask, { lookUp: LookUp<unknown> }>): Request {
  const { realmIds, keys, params } = asked;
  const [realmId = ''] = realmIds;
  const isOne = realmIds.every((one) => one === realmId);
  const variant = keys.length === 1 ? 'sole' : isOne ? 'one' : 'many';
  const { statement: own, names } = preparedLookUp(lookUp)[variant];
  const all = { ...params, realm: isOne ? realmId : realmIds, key: keys[0] ?? null, keys };
  const read = ([result]: readonly Result[]) =>
    ((result?.rows ?? []) as SqlValue[][]).map((row) =>
      variant === 'sole'
        ? { realmId, row: lookUp.decode(row) }
        : { realmId: row[0], row: lookUp.decode(row.slice(1)) },
    );
  return { executions: [{ statement: own, values: argumentsOf(names, all) }], read };
}

const argumentsOf = (names: readonly string[], params: Params): Sql[] =>
  names.map((name) => params[name] as Sql);
