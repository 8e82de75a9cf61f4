import assert from 'node:assert/strict';
import type { CommandOf, Outcome } from '../../src/domain/commands.ts';

/** Commands for a ledger without a service. */
const base = { actor: 'test', idempotency: null };

export const create = (realmId: string): CommandOf<'realm.create'> => ({
  ...base,
  type: 'realm.create',
  realmId,
  name: 'Acme',
  settings: { autoEnroll: true },
});

export const credit = (realmId: string, description = ''): CommandOf<'points.change'> => ({
  ...base,
  type: 'points.change',
  realmId,
  memberId: '1',
  tokens: 1,
  realmPointId: null,
  description,
});

export const answerOf = (outcome: Outcome): Record<string, unknown> => {
  assert.ok('answer' in outcome, JSON.stringify(outcome));
  return outcome.answer as Record<string, unknown>;
};
