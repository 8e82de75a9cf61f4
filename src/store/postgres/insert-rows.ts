import { type Sql, type Statement, statement } from './statement.ts';

/**
 * Inserts rows of the realm $1 that come as arrays, all by one statement. Where the tables are
 * distributed, the realm's own row leads it to the server that has the realm: an insert that reads
 * no table is carried out piece by piece, at nearly twice the cost.
 */
export const insertRows = <Args extends Sql[]>(
  into: string,
  values: string,
  rows: string,
  end = '',
): Statement<never, Args> =>
  statement(
    `INSERT INTO ${into} SELECT $1, ${values} FROM ${rows}${end}`,
    `INSERT INTO ${into} SELECT realms.realm_id, ${values} FROM realms CROSS JOIN ${rows}
     WHERE realms.realm_id = $1${end}`,
  );
