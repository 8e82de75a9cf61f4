import { type Sql, type Statement, statement } from './statement.ts';

/**
 * A statement for one realm, and the same for many, whose first parameter then has a realm for each
 * row. A statement for one realm can be sent to the server that stores the realm; one for many
 * makes a thousand quiet realms as cheap as a busy one.
 */
export interface RealmStatement<Row, Args extends Sql[]> {
  one: Statement<Row, [string, ...Args]>;
  many: Statement<Row, [string[], ...Args]>;
}

type OfRealm<Row> = Row & { realm_id: string };

/**
 * For each key, one look-up by a primary key or an index. The look-ups are subqueries that the
 * planner cannot turn into a join, which it would plan by statistics (because of `OFFSET 0`, a
 * limit or a lock): `= ANY` became a scan while there were no statistics yet.
 */
export function lookUp<Row, Key extends string | number = string>(
  type: 'text' | 'bigint',
  select: (realm: string, key: string) => string,
): RealmStatement<OfRealm<Row>, [Key[]]> {
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
  };
}

/** Rows of a table with few of them in each realm. They must include their `realm_id`. */
export function ofRealm<Row>(select: (realm: string) => string): RealmStatement<OfRealm<Row>, []> {
  return {
    one: statement(select('$1')),
    many: statement(
      `SELECT found.* FROM unnest($1::text[]) AS wanted(realm_id)
       CROSS JOIN LATERAL (${select('wanted.realm_id')}) found`,
    ),
  };
}
