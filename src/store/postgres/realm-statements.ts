import { type Sql, type Statement, statement } from './statement.ts';

/**
 * A statement about one realm, and the same about many at once, whose first parameter then has a
 * realm for each row. One realm by itself is what can be sent to the server that has this realm;
 * many by one statement are what makes a thousand quiet realms as cheap as a busy one.
 */
export interface RealmStatement<Row, Args extends Sql[]> {
  one: Statement<Row, [string, ...Args]>;
  many: Statement<Row, [string[], ...Args]>;
}

type OfRealm<Row> = Row & { realm_id: string };

/**
 * For each key that is asked for, one look-up by a whole primary key or index. The look-ups are
 * subqueries that the planner can't make a join of, whose way it would choose by statistics (by
 * `OFFSET 0`, a limit or a lock): `= ANY` became a scan while those were cold.
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

/** Rows of a table that has few of a realm; they tell their realm. */
export function ofRealm<Row>(select: (realm: string) => string): RealmStatement<OfRealm<Row>, []> {
  return {
    one: statement(select('$1')),
    many: statement(
      `SELECT found.* FROM unnest($1::text[]) AS wanted(realm_id)
       CROSS JOIN LATERAL (${select('wanted.realm_id')}) found`,
    ),
  };
}
