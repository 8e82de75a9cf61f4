import { type Prepared, postgres, prepare } from '../dialect.ts';
import { textOf as sqlOf } from '../rows.ts';
import type { Ask, LookUp, Operation, Params, Statement } from '../statement.ts';
import type { SqlValue } from '../table.ts';
import type { Connection } from './connection.ts';
import { type Execution, objectsOf, type Result } from './pipeline.ts';
import { type PgStatement, type Sql, statement } from './statement.ts';
import { writing } from './writes.ts';

/** Runs an operation to its end: what it asks at once is sent as one pipeline. */
export const runOn = <T>(connection: Connection, operation: Operation<T>): Promise<T> =>
  runAfter(connection, [], operation);

/** The same, with commands sent in front of what it asks first. */
export async function runAfter<T>(
  connection: Connection,
  commands: readonly PgStatement<never, []>[],
  operation: Operation<T>,
): Promise<T> {
  let before: readonly Request[] = commands.map((command) => ({
    statement: command,
    values: [],
    read: () => undefined,
  }));
  let step = operation.next();
  while (!step.done) {
    const requests = requestsFor(connection, step.value);
    const answers = await answersTo(connection, [...before, ...requests]);
    step = operation.next(answers.slice(before.length));
    before = [];
  }
  return step.value;
}

/** A statement to send, and how its result is read. */
export interface Request extends Execution {
  read: (result: Result) => unknown;
}

/** Sends requests as one pipeline. */
export async function answersTo(
  connection: Connection,
  requests: readonly Request[],
): Promise<unknown[]> {
  const results = await connection.execute(requests);
  return results.map((result, index) => requests[index]?.read(result));
}

/** What is asked, ready to be sent: whatever can fail here fails before anything is sent. */
export const requestsFor = (connection: Connection, asks: readonly Ask[]): Request[] =>
  asks.map((one) => requestFor(one, connection.isDistributed));

function requestFor(one: Ask, isDistributed: boolean): Request {
  if ('write' in one) {
    return { ...writing(one.write, one.rows, isDistributed), read: ({ count }) => count };
  }
  if ('lookUp' in one) return lookUpFor(one);
  const { statement: which, params } = one;
  const { statement: own, names } = preparedOf(which);
  const read = (result: Result) => (which.isChange ? result.count : rowsOf(which, result));
  return { statement: own, values: argumentsOf(names, params), read };
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

/** A statement as it is sent. */
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
  const read = ({ rows }: Result) =>
    (rows as SqlValue[][]).map((row) =>
      variant === 'sole'
        ? { realmId, row: lookUp.decode(row) }
        : { realmId: row[0], row: lookUp.decode(row.slice(1)) },
    );
  return { statement: own, values: argumentsOf(names, all), read };
}

const argumentsOf = (names: readonly string[], params: Params): Sql[] =>
  names.map((name) => params[name] as Sql);
