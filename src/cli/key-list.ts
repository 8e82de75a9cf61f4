import { keyBody } from '../contract/operations/keys.ts';
import { operations } from '../contract/operations.ts';
import type { ApiKey } from '../domain/model.ts';
import type { Ledger } from '../engine/ledger.ts';
import { define } from './command.ts';
import { table } from './table.ts';
import { checkArguments, requireRealm, withLedger } from './with-ledger.ts';

const PAGE = 500;

export const listKeys = define({
  summary: 'Lists the keys of a realm, without their secrets.',
  args: ['realm'],
  options: {},
  example: 'realmkeep key list acme',
  async run({ args: { realm }, print }) {
    const params = { realmID: realm };
    checkArguments(operations.listKeys, { params }, { '/path/realmID': '<realm>' });
    const keys = (await withLedger((ledger) => allKeys(ledger, realm))).map(keyBody);
    const rows = keys.map(({ id, name, scopes, createdAt, expiresAt, lastUsedAt }) => [
      id,
      name,
      scopes.join(','),
      createdAt,
      expiresAt ?? 'never',
      lastUsedAt ?? 'never',
    ]);
    print({
      text:
        keys.length === 0
          ? `Realm ${realm} has no keys. Issue one with "realmkeep key create".`
          : table(['ID', 'NAME', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED'], rows),
      json: { items: keys },
    });
  },
});

async function allKeys(ledger: Ledger, realmId: string): Promise<ApiKey[]> {
  await requireRealm(ledger, realmId);
  const keys: ApiKey[] = [];
  for (;;) {
    const after = keys.at(-1)?.id ?? null;
    const page = await ledger.query('apiKeys', { realmId, after, limit: PAGE });
    keys.push(...page);
    if (page.length < PAGE) return keys;
  }
}
