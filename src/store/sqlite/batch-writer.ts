import type { DatabaseSync } from 'node:sqlite';
import type { Decision } from '../../domain/rules/decide.ts';
import type { Batch, BatchWriter } from '../../ledger/store.ts';
import type { RealmCache } from '../cache.ts';
import { writesOf } from '../changes.ts';
import { decideBatch } from '../facts.ts';
import type { Operation } from '../statement.ts';
import { durableTransaction } from './database.ts';
import type { SqliteDriver } from './driver.ts';

/** Writes batches one after another, each in one transaction. */
export function sqliteBatchWriter(
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
