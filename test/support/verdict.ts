import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Verdict, Verification } from '../../src/domain/rules/audit.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';

/** What a check of a realm finds, whatever the realm itself says; null if there is none. */
export async function verdictOf(
  ledger: Pick<Ledger, 'query'>,
  realmId: string,
): Promise<Verdict | null> {
  const realm = { realmId, createdAt: 0 };
  const { id } = await ledger.query('startVerification', realm);
  for (;;) {
    const check: Verification | null = await ledger.query('verification', { ...realm, id });
    assert.ok(check && check.status !== 'failed', 'the check failed');
    if (check.status === 'done') return check.result;
    await delay(1);
  }
}
