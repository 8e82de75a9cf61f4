import type { Decision } from '../../domain/rules/decide.ts';
import { type Ready, readyOf } from './changes.ts';
import type { Connection } from './connection.ts';
import { isUnavailable } from './errors.ts';
import { loadFacts } from './facts.ts';
import { type Attempt, begin, commitBehind, lockTimeout, NotWritten } from './transaction.ts';

/**
 * Commits a batch in two round trips: one locks the realms and reads the facts, one writes. The
 * connection is left without an open transaction, or cut.
 */
export async function commitUnderLock(connection: Connection, attempt: Attempt): Promise<Decision> {
  const batch = await decideUnderLock(connection, attempt);
  const { decision, writes } = batch;
  if (writes.length === 0) {
    await endUnchanged(connection, decision, attempt.onSent);
    return decision;
  }
  const writing = connection.pipeline(() =>
    Promise.all(writes.map((write) => connection.change(write.statement, ...write.values))),
  );
  await commitBehind(connection, writing, batch, attempt.onSent);
  return decision;
}

/** Prepares all writes before the first is sent: a fault must not leave half of them sent. */
async function decideUnderLock(connection: Connection, attempt: Attempt): Promise<Ready> {
  const { needs, clock, cache } = attempt;
  try {
    const [, , facts] = await connection.pipeline(() =>
      Promise.all([
        connection.change(begin),
        connection.change(lockTimeout),
        loadFacts(connection, needs, clock()),
      ]),
    );
    const ready = readyOf(attempt, facts);
    cache?.store(facts);
    cache?.apply(ready.decision.changes);
    return ready;
  } catch (error) {
    await rollBack(connection, error);
    throw new NotWritten('a batch could not be started', { cause: error });
  }
}

/**
 * A replayed answer acknowledges its write again, so it commits and thereby waits for the standby
 * as the first answer did.
 */
async function endUnchanged(
  connection: Connection,
  { outcomes }: Decision,
  onSent: () => void,
): Promise<void> {
  const isReplay = outcomes.some((outcome) => 'replayed' in outcome && outcome.replayed);
  const end = connection.run(isReplay ? 'COMMIT' : 'ROLLBACK').catch((error) => {
    connection.destroy(error);
    // A refusal stands, whether or not its transaction was rolled back.
    if (isReplay) throw new NotWritten('answers could not be replayed', { cause: error });
  });
  onSent();
  if (isReplay) await end;
}

/** Rolls the transaction back, by cutting the connection if need be. */
async function rollBack(connection: Connection, error: unknown): Promise<void> {
  if (connection.isLost || isUnavailable(error)) return connection.destroy(error as Error);
  await connection.run('ROLLBACK').catch((reason) => connection.destroy(reason));
}
