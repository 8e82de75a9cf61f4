import type { DatabaseSync } from 'node:sqlite';
import type { Needs, RealmFacts } from '../../domain/facts.ts';
import type { Decision } from '../../domain/rules/decide.ts';
import { needsOnly } from '../../domain/rules/needs.ts';
import { yieldToOthers } from '../../engine/commit-queue.ts';
import { LIGHT } from '../../engine/cost.ts';
import type { Batch, BatchWriter } from '../../engine/store.ts';
import type { RealmCache } from '../realm-cache.ts';
import { changeWriter } from './changes.ts';
import { commitAfter, durableTransaction } from './database.ts';
import { factLoader } from './facts.ts';
import { statementsOn } from './rows.ts';

/** More records than most batches of light commands have. */
const MANY_RECORDS = 2 * LIGHT;

/**
 * The needs whose facts no erasure changes, or no command writes back: expired holds come with
 * members, but are written only by commands that need them as holds.
 */
const UNERASED_NEEDS: ReadonlySet<keyof Needs> = new Set([
  'realmId',
  'members',
  'profiles',
  'accounts',
  'wallets',
  'apiKeys',
  'idempotencyKeys',
  'fingerprints',
  'assets',
  'webhooks',
  'idsToAssign',
  'idsToEnrol',
]);

/** Whether texts may be written that were read before they were erased. */
const mayRestoreTexts = (needs: Needs): boolean => !needsOnly(UNERASED_NEEDS, needs);

/** Writes batches one after another, each in one transaction. */
export function sqliteBatchWriter(db: DatabaseSync, cache: RealmCache): BatchWriter {
  const load = factLoader(db, cache);
  const { write, stage } = changeWriter(db);
  const sql = statementsOn(db);
  const dataVersion = sql.value<number, []>('PRAGMA data_version');
  const isErasing = sql.value<1, [string]>(
    `SELECT 1 FROM erasures WHERE realm_id = ? AND phase <> 'done' LIMIT 1`,
  );
  const factsFor = ({ needs, clock }: Batch): RealmFacts[] => {
    const now = clock();
    return needs.map((each) => load(each, now));
  };
  const decided = (batch: Batch): Decision => batch.decide(factsFor(batch));
  const written = (decision: Decision, writeChanges = write): Decision => {
    for (const changes of decision.changes) writeChanges(changes);
    cache.apply(decision.changes);
    return decision;
  };
  const commit = (batch: Batch): Decision => durableTransaction(db, () => written(decided(batch)));
  /**
   * A large batch takes most of its time to be decided and staged, in slices between which batches
   * of other realms are written. Besides erasures, only another process can change this realm
   * meanwhile, and then the data version changes.
   */
  const commitApart = async (batch: Batch): Promise<Decision> => {
    const realmId = batch.needs[0]?.realmId ?? '';
    // Decided in the transaction, but never a large command: none has such needs.
    if (batch.needs.some(mayRestoreTexts) && isErasing(realmId)) return commit(batch);
    const version = dataVersion();
    db.exec('BEGIN');
    const facts = commitAfter(db, () => factsFor(batch));
    const decision = batch.decide(facts);
    const commitDecision = (writeChanges: typeof write): Decision =>
      durableTransaction(db, () =>
        dataVersion() === version ? written(decision, writeChanges) : written(decided(batch)),
      );
    const [changes] = decision.changes;
    if (changes && changes.records.length > MANY_RECORDS) {
      return stage(changes, commitDecision);
    }
    await yieldToOthers();
    return commitDecision(write);
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
