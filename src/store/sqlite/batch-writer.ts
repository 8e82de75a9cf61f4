import type { DatabaseSync } from 'node:sqlite';
import type { Decision } from '../../domain/rules/decide.ts';
import { finish } from '../../domain/rules/steps.ts';
import { yieldToOthers } from '../../engine/commit-queue.ts';
import type { Batch, BatchWriter } from '../../engine/store.ts';
import type { RealmCache } from '../realm-cache.ts';
import { changeWriter } from './changes.ts';
import { commitAfter, durableTransaction } from './database.ts';
import { factLoader } from './facts.ts';
import { statementsOn } from './rows.ts';

/** Writes batches one after another, each in one transaction. */
export function sqliteBatchWriter(db: DatabaseSync, cache: RealmCache): BatchWriter {
  const load = factLoader(db, cache);
  const write = changeWriter(db);
  const dataVersion = statementsOn(db).value<number, []>('PRAGMA data_version');
  const decided = ({ needs, clock, decide }: Batch): Decision => {
    const now = clock();
    return finish(decide(needs.map((each) => load(each, now))));
  };
  const written = (decision: Decision): Decision => {
    for (const changes of decision.changes) write(changes);
    cache.apply(decision.changes);
    return decision;
  };
  const commit = (batch: Batch): Decision => durableTransaction(db, () => written(decided(batch)));
  /**
   * A batch of 10,000 entries takes two fifths of its time to be decided and three fifths to be
   * written. Batches of other realms are written in between: only another process can change this
   * realm meanwhile, and then the data version changes.
   */
  const commitApart = async (batch: Batch): Promise<Decision> => {
    const version = dataVersion();
    db.exec('BEGIN');
    const decision = commitAfter(db, () => decided(batch));
    await yieldToOthers();
    return durableTransaction(db, () =>
      written(dataVersion() === version ? decision : decided(batch)),
    );
  };
  const attempt = async (batch: Batch, isApart: boolean): Promise<Decision> => {
    try {
      return isApart ? await commitApart(batch) : commit(batch);
    } catch (error) {
      cache.forget(batch.needs);
      throw error;
    }
  };
  return {
    limits: { realmsPerBatch: Number.POSITIVE_INFINITY, inFlight: 1 },
    write: (batch, patience) => ({
      sent: Promise.resolve(),
      done: attempt(batch, patience === 'persist'),
    }),
  };
}
