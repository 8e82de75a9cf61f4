import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppKeys } from '../../src/discord/discord.ts';

test('a key that could not be revoked with its link is revoked later', async () => {
  let isAway = true;
  const revoked: string[] = [];
  const notes = new Map<string, string>();
  const queries: Record<string, (query: { name: string }) => unknown> = {
    apiKey: () => ({ revokedAt: null, replacedBy: null }),
    note: ({ name }) => notes.get(name) ?? null,
    notes: () => [...notes].map(([name, value]) => ({ name, value })),
  };
  const ledger = {
    query: async (name: string, query: { name: string }) => queries[name]?.(query),
    housekeeping: {
      storeNote: async ({ name, value }: { name: string; value: string }) => notes.set(name, value),
    },
    execute: async ({ realmId }: { realmId: string }) => {
      if (isAway) throw new Error('the database is away');
      revoked.push(realmId);
      return { answer: {} };
    },
  };
  const keys = new AppKeys(ledger as never, 'a-secret-key');
  await keys.of({ id: 'acme', createdAt: 1 } as never);
  await assert.rejects(keys.keep(new Set()), /away/);
  isAway = false;
  await keys.keep(new Set());
  await keys.keep(new Set());
  assert.deepEqual(revoked, ['acme']);
});
