import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';

/** A database of one test, in which these commands were executed. */
export async function written(
  t: TestContext,
  history: readonly object[],
): Promise<{ database: TestDatabase; ledger: Ledger }> {
  const database = await newDatabase();
  const ledger = await database.ledger();
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  for (const command of history) {
    const outcome = await ledger.execute(command as never);
    assert.ok('answer' in outcome, JSON.stringify([command, outcome]));
  }
  return { database, ledger };
}
