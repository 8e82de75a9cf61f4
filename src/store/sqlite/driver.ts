import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Decision } from '../../domain/rules/decide.ts';
import { InDoubt, Unavailable } from '../../ledger/errors.ts';
import type { Batch, BatchWriter } from '../../ledger/store.ts';
import type { RealmCache } from '../cache.ts';
import { writesOf } from '../changes.ts';
import { prepare, sqlite } from '../dialect.ts';
import { decideBatch } from '../facts.ts';
import { orUpdate, textOf } from '../rows.ts';
import type { Ask, LookUp, OfRealm, Operation, Params, RowWrite, Statement } from '../statement.ts';
import { type SqlValue, valuesOf } from '../table.ts';
import { isBusy, isDiskError } from './errors.ts';

interface Executable {
  statement: StatementSync;
  names: readonly string[];
  columns: readonly string[];
}

type Row = SqlValue[];
type WriteRows = (rows: readonly OfRealm<unknown>[]) => number;

/** SQLite plans a statement anew whenever a parameter is bound that is its limit as it stands. */
const LIMIT = /\bLIMIT (\?\d+)/g;

/** Runs operations on one connection, each statement at once. */
export class SqliteDriver {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<object, Executable>();
  readonly #writers = new Map<object, WriteRows>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    // Sums over many members may exceed 64 bits.
    const add = (a: unknown, b: unknown): string => String(BigInt(String(a)) + BigInt(String(b)));
    db.function('sum_of', { deterministic: true }, add);
    db.aggregate('total_of', { start: '0', step: add });
  }

  run<T>(operation: Operation<T>): T {
    let step = operation.next();
    while (!step.done) step = operation.next(step.value.map((one) => this.#answer(one)));
    return step.value;
  }

  #answer(one: Ask): unknown {
    if ('write' in one) return this.#write(one.write, one.rows);
    if ('lookUp' in one) return this.#lookUp(one.lookUp, one.realmIds, one.keys, one.params);
    return this.#execute(one.statement, one.params);
  }

  #execute(which: Statement<unknown, never>, params: Params): unknown {
    const executable = this.#executable(which, which.text);
    const { statement, names } = executable;
    const args = argumentsOf(names, params);
    if (which.isChange) return Number(statement.run(...args).changes);
    const rows = statement.all(...args) as unknown as Row[];
    return which.decode ? rows.map((row) => which.decode?.(row)) : objectsOf(executable, rows);
  }

  #lookUp(
    which: LookUp<unknown>,
    realmIds: readonly string[],
    keys: readonly SqlValue[],
    params: Params,
  ): OfRealm<unknown>[] {
    const { statement, names } = this.#executable(which, which.select);
    const args = argumentsOf(names, params);
    const [realmAt, keyAt] = [names.indexOf('realm'), names.indexOf('key')];
    const found: OfRealm<unknown>[] = [];
    for (let index = 0; index < keys.length; index++) {
      const realmId = realmIds[index] as string;
      args[realmAt] = realmId;
      if (keyAt >= 0) args[keyAt] = keys[index] as SqlValue;
      for (const row of statement.all(...args) as unknown as Row[]) {
        found.push({ realmId, row: which.decode(row) });
      }
    }
    return found;
  }

  #write(which: RowWrite<never>, rows: readonly OfRealm<unknown>[]): number {
    let write = this.#writers.get(which);
    if (!write) {
      write = which.verb === 'delete' ? this.#deleter(which) : this.#inserter(which);
      this.#writers.set(which, write);
    }
    return write(rows);
  }

  /** An update is an upsert: the row is there. */
  #inserter({ table, verb, end }: RowWrite<never>): WriteRows {
    const names = ['realm_id', ...table.written.map(({ name }) => name)];
    const values = table.written.map(({ type }, index) =>
      type === 'bytes' ? sqlite.bytes(`?${index + 2}`) : `?${index + 2}`,
    );
    const rest = verb === 'insert' ? textOf(sqlite, end ?? '') : orUpdate(table);
    const statement = this.#db.prepare(
      `INSERT INTO ${table.name} (${names}) VALUES (?1, ${values}) ${rest}`,
    );
    const read = valuesOf(table);
    return (rows) => {
      for (const { realmId, row } of rows) {
        const args: SqlValue[] = [realmId];
        for (const value of read) args.push(value(row as never));
        statement.run(...args);
      }
      return rows.length;
    };
  }

  #deleter({ table }: RowWrite<never>): WriteRows {
    const condition = table.key.map((name) => `${name} = ?`).join(' AND ');
    const statement = this.#db.prepare(`DELETE FROM ${table.name} WHERE ${condition}`);
    return (rows) => {
      for (const { realmId, row } of rows as OfRealm<readonly string[]>[]) {
        statement.run(realmId, ...row);
      }
      return rows.length;
    };
  }

  #executable(which: object, text: Statement<unknown, never>['text']): Executable {
    let executable = this.#prepared.get(which);
    if (!executable) {
      const { text: own, names } = prepare(sqlite, textOf(sqlite, text));
      const statement = this.#db.prepare(own.replaceAll(LIMIT, 'LIMIT CAST($1 AS INTEGER)'));
      statement.setReturnArrays(true);
      const columns = statement.columns().map(({ name }) => name);
      executable = { statement, names, columns };
      this.#prepared.set(which, executable);
    }
    return executable;
  }
}

function argumentsOf(names: readonly string[], params: Params): SqlValue[] {
  const args: SqlValue[] = [];
  for (const name of names) {
    const value = params[name] as SqlValue | readonly SqlValue[];
    args.push(typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  }
  return args;
}

/** Node's own objects are slower to read than these. */
function objectsOf({ columns }: Executable, rows: readonly Row[]): object[] {
  return rows.map((values) => {
    const row: Record<string, SqlValue> = {};
    for (let index = 0; index < columns.length; index++) {
      row[columns[index] as string] = values[index] as SqlValue;
    }
    return row;
  });
}

/** Runs work in one write transaction. `IMMEDIATE` takes the lock before the first read. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new Unavailable('overloaded', 'another process holds the database');
  }
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A failed COMMIT may already have ended the transaction.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Like `transaction`, for what callers will be told of. If the disk fails during COMMIT, SQLite
 * rolls back and overwrites what it wrote to the log with the next commit; but if the machine fails
 * before that, the log may be found complete, and the transaction is there again.
 */
export function durableTransaction<T>(db: DatabaseSync, work: () => T): T {
  let isCommitting = false;
  try {
    return transaction(db, () => {
      const result = work();
      isCommitting = true;
      return result;
    });
  } catch (error) {
    if (!isCommitting || !isDiskError(error)) throw error;
    throw new InDoubt(`the disk failed during a commit: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Writes batches one after another, each in one transaction. */
export function batchWriter(
  db: DatabaseSync,
  driver: SqliteDriver,
  cache: RealmCache,
): BatchWriter {
  function* commit(batch: Batch): Operation<Decision> {
    const decision = yield* decideBatch(batch, cache);
    yield writesOf(decision.changes);
    return decision;
  }
  const write = async (batch: Batch): Promise<Decision> => {
    try {
      return durableTransaction(db, () => driver.run(commit(batch)));
    } catch (error) {
      for (const { realmId } of batch.needs) cache.forget(realmId);
      throw error;
    }
  };
  return {
    limits: { realmsPerBatch: Number.POSITIVE_INFINITY, inFlight: 1 },
    write: (batch) => ({ sent: Promise.resolve(), done: write(batch) }),
  };
}
