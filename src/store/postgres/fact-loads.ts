import type { Needs, RealmFacts } from '../../domain/facts.ts';
import { decode, type Stored, type Table } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import type { Connection } from './connection.ts';
import { columnsOf } from './rows.ts';
import { type Sql, type Statement, statement } from './statement.ts';

/** The realms of a batch, in the order in which they are locked. */
interface Loading {
  connection: Connection;
  realms: { needs: Needs; facts: RealmFacts }[];
  /** The current instant, for facts that depend on it. */
  now: number;
  byId: Map<string, RealmFacts>;
}

/** Queries facts of all realms of a batch at once, and sends no query without keys. */
type Load = (loading: Loading) => Promise<void>;

type Key = string | number;
type OfRealm<Row> = Row & { realm_id: string };
/** Adds a row that was found to the facts of its realm. */
type AddRow<Row> = (facts: RealmFacts, row: OfRealm<Row>) => void;

/**
 * A statement for one realm, and the same for many, whose first parameter then has a realm for each
 * row. A statement for one realm can be sent to the server that stores the realm; one for many
 * makes a thousand quiet realms as cheap as a busy one.
 */
interface LookUp<Row> {
  one: Statement<OfRealm<Row>, [string, Key[], ...third: Sql[]]>;
  many: Statement<OfRealm<Row>, [string[], Key[], ...third: Sql[]]>;
  third: ThirdParameter | null;
}

type KeyType = 'text' | 'bigint';

/** A third parameter of a statement, the same for all its realms and keys. */
interface ThirdParameter {
  type: 'bigint' | 'text[]';
  valueFor: (loading: Loading) => Sql;
}

/** The current instant, for rows that depend on it. */
export const NOW: ThirdParameter = { type: 'bigint', valueFor: ({ now }) => now };

/** The fingerprints of all requests. */
export const FINGERPRINTS: ThirdParameter = {
  type: 'text[]',
  valueFor: ({ realms }) => realms.flatMap(({ needs }) => [...needs.fingerprints]),
};

/**
 * For each key, one look-up by a primary key or an index. The look-ups are subqueries that the
 * planner cannot turn into a join, which it would plan by statistics (because of `OFFSET 0`, a
 * limit or a lock): `= ANY` became a scan while there were no statistics yet.
 */
function lookUp<Row>(type: KeyType, select: (realm: string, key: string) => string): LookUp<Row> {
  const found = (realm: string) => `CROSS JOIN LATERAL (${select(realm, 'wanted.key')}) found`;
  return {
    one: statement(
      `SELECT $1::text AS realm_id, found.*
       FROM unnest($2::${type}[]) AS wanted(key) ${found('$1')}`,
    ),
    many: statement(
      `SELECT wanted.realm_id, found.*
       FROM unnest($1::text[], $2::${type}[]) AS wanted(realm_id, key)
       ${found('wanted.realm_id')}`,
    ),
    third: null,
  };
}

/** The same with a third parameter. */
export const lookUpWith = <Row>(
  third: ThirdParameter,
  type: KeyType,
  select: (realm: string, key: string, third: string) => string,
): LookUp<Row> => ({
  ...lookUp<Row>(type, (realm, key) => select(realm, key, `$3::${third.type}`)),
  third,
});

export const selectBy =
  (table: string, columns: string, condition: string) =>
  (realm: string, key: string): string =>
    `SELECT ${columns} FROM ${table} WHERE realm_id = ${realm} AND ${condition} = ${key} OFFSET 0`;

/** Looks up the keys of each realm and adds the rows that exist. */
export const loadByKeys =
  <Row>(
    { one, many, third }: LookUp<Row>,
    keysOf: (needs: Needs, facts: RealmFacts) => Iterable<Key>,
    add: AddRow<Row>,
  ): Load =>
  async (loading) => {
    const { connection, realms, byId } = loading;
    const realmIds: string[] = [];
    const keys: Key[] = [];
    for (const { needs, facts } of realms) {
      for (const key of keysOf(needs, facts)) {
        realmIds.push(needs.realmId);
        keys.push(key);
      }
    }
    const [first] = realmIds;
    if (first === undefined) return;
    const more = third ? [third.valueFor(loading)] : [];
    const rows =
      realms.length === 1
        ? connection.query(one, first, keys, ...more)
        : connection.query(many, realmIds, keys, ...more);
    addAll(byId, await rows, add);
  };

/** The properties of the facts that are whole rows of the table of the same name. */
type RowFact = keyof typeof tables & keyof RealmFacts;
type KeysNeeded = { [N in keyof Needs]: Needs[N] extends Set<Key> ? N : never }[keyof Needs];

/** Rows by the values of one column, which are one of the needs, and a condition on others. */
export function rowsBy(fact: RowFact, column: string, need: KeysNeeded, condition = ''): Load {
  const table = tables[fact] as Table<unknown>;
  const isText = table.columns.some(({ name, type }) => name === column && type === 'text');
  const select = selectBy(table.name, columnsOf(table), `${condition}${column}`);
  return loadByKeys(
    lookUp<Stored<unknown>>(isText ? 'text' : 'bigint', select),
    (needs) => needs[need],
    (facts, row) => (facts[fact] as unknown[]).push(decode(table, row)),
  );
}

/** All rows that a realm has in a table with few of them. */
export function rowsOfRealm<Row>(
  table: Table<Row>,
  end: string,
  add: (facts: RealmFacts, row: Row) => void,
  isNeeded: (needs: Needs) => boolean = () => true,
): Load {
  const { name } = table;
  const select = (realm: string): string =>
    `SELECT ${name}.realm_id, ${columnsOf(table)} FROM ${name}
       WHERE ${name}.realm_id = ${realm} ${end}`;
  const one = statement<OfRealm<Stored<Row>>, [string]>(select('$1'));
  const many = statement<OfRealm<Stored<Row>>, [string[]]>(
    `SELECT found.* FROM unnest($1::text[]) AS wanted(realm_id)
       CROSS JOIN LATERAL (${select('wanted.realm_id')}) found`,
  );
  return async ({ connection, realms, byId }) => {
    const realmIds = realms.flatMap(({ needs }) => (isNeeded(needs) ? [needs.realmId] : []));
    const [first] = realmIds;
    if (first === undefined) return;
    const rows =
      realmIds.length === 1 ? connection.query(one, first) : connection.query(many, realmIds);
    addAll<Stored<Row>>(byId, await rows, (facts, row) => add(facts, decode(table, row)));
  };
}

function addAll<Row>(byId: Map<string, RealmFacts>, rows: OfRealm<Row>[], add: AddRow<Row>): void {
  for (const row of rows) {
    const facts = byId.get(row.realm_id);
    if (facts) add(facts, row);
  }
}
