import type { Decision } from '../../domain/rules/decide.ts';
import { type Ready, readyOf } from './changes.ts';
import type { Connection } from './connection.ts';
import { isUnavailable } from './errors.ts';
import { loadFacts } from './facts.ts';
import { begin, commitBehind, NotWritten, type Work, waitFor } from './transaction.ts';

/**
 * One transaction, in two rounds. However it ends, the connection is left with none open, or cut.
 */
export async function attempt(connection: Connection, work: Work): Promise<Decision> {
  const { decision, batch, writes } = await decideUnderLock(connection, work);
  if (writes.length === 0) {
    await endUnchanged(connection, decision, work.onSent);
    return decision;
  }
  const writing = connection.round(() =>
    Promise.all(writes.map((write) => connection.change(write.statement, ...write.values))),
  );
  await commitBehind(connection, writing, { batch, decision, onSent: work.onSent });
  return decision;
}

/** Everything that will be sent is made before the first of it is. */
async function decideUnderLock(
  connection: Connection,
  { needs, decide, lockMs, cache }: Work,
): Promise<Ready> {
  try {
    const [, , facts] = await connection.round(() =>
      Promise.all([
        connection.change(begin),
        connection.change(waitFor(lockMs)),
        loadFacts(connection, needs),
      ]),
    );
    const ready = readyOf(decide(facts));
    cache?.store(facts);
    cache?.apply(ready.changes);
    return ready;
  } catch (error) {
    await giveBack(connection, error);
    throw new NotWritten('a batch could not be begun', { cause: error });
  }
}

/** An old answer acknowledges its write anew, so it waits for the standby as the first one did. */
async function endUnchanged(
  connection: Connection,
  { outcomes }: Decision,
  onSent: () => void,
): Promise<void> {
  const isReplay = outcomes.some((outcome) => 'replayed' in outcome && outcome.replayed);
  const end = connection.run(isReplay ? 'COMMIT' : 'ROLLBACK').catch((error) => {
    connection.destroy(error);
    // Whether or not a refusal was rolled back, it stands.
    if (isReplay) throw new NotWritten('old answers could not be given', { cause: error });
  });
  onSent();
  if (isReplay) await end;
}

/** Leaves the connection as it was, or cuts it: the server then undoes what was begun. */
async function giveBack(connection: Connection, error: unknown): Promise<void> {
  if (connection.isLost || isUnavailable(error)) return connection.destroy(error as Error);
  await connection.run('ROLLBACK').catch((reason) => connection.destroy(reason));
}
