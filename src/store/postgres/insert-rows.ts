import { type Sql, type Statement, statement } from './statement.ts';

/** Inserts rows of realm $1, given as arrays, in one statement. */
export const insertRows = <Args extends Sql[]>(
  into: string,
  values: string,
  rows: string,
  end = '',
): Statement<never, Args> =>
  statement(`INSERT INTO ${into} SELECT $1, ${values} FROM ${rows}${end}`);
