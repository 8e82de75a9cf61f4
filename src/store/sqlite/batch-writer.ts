import type { DatabaseSync } from 'node:sqlite';
import type { RealmFacts } from '../../domain/facts.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import { finish } from '../../domain/rules/steps.ts';
import { yieldToOthers } from '../../engine/commit-queue.ts';
import { slices } from '../../engine/slices.ts';
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
  const sql = statementsOn(db);
  const dataVersion = sql.value<number, []>('PRAGMA data_version');
  const isErasing = sql.value<1, [string]>(
    `SELECT 1 FROM erasures WHERE realm_id = ? AND phase <> 'done' LIMIT 1`,
  );
  const factsFor = ({ needs, clock }: Batch): RealmFacts[] => {
    const now = clock();
    return needs.map((each) => load(each, now));
  };
  const decided = (batch: Batch): Decision => finish(batch.decide(factsFor(batch)));
  const written = (decision: Decision): Decision => {
    for (const changes of decision.changes) write(changes);
    cache.apply(decision.changes);
    return decision;
  };
  const commit = (batch: Batch): Decision => durableTransaction(db, () => written(decided(batch)));
  /**
   * A batch of 10,000 entries takes two thirds of its time to be decided, in slices between which
   * batches of other realms are written. Besides erasures, only another process can change this
   * realm meanwhile, and then the data version changes.
   */
  const commitApart = async (batch: Batch): Promise<Decision> => {
    const realmId = batch.needs[0]?.realmId ?? '';
    // What is erased meanwhile would be written again.
    if (isErasing(realmId)) return commit(batch);
    const version = dataVersion();
    db.exec('BEGIN');
    const facts = commitAfter(db, () => factsFor(batch));
    const decision = await slices.run(realmId, null, batch.decide(facts));
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
