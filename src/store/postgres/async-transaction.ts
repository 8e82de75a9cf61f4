import type { Connection } from './connection.ts';

/** A crash of the server may undo the transaction, so its commit does not wait for the disk. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = off';

/**
 * Runs work that can be repeated in a transaction; a connection on which it failed is cut. The
 * commit follows what the work has sent in the same round trip: the server undoes all of it if it
 * refuses a part.
 */
export async function asyncTransaction<T>(
  connection: Connection,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const begun = connection.run(BEGIN);
    const [, result] = await Promise.all([begun, work()]);
    const [, end] = await Promise.all([connection.settled(), connection.run('COMMIT')]);
    if (end !== 'COMMIT') throw new Error(`COMMIT answered ${end}`);
    return result;
  } catch (error) {
    // Statements may still be running on it; destroying it rolls them back.
    connection.destroy(error as Error);
    throw error;
  }
}
