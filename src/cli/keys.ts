import { DEFAULT_OVERLAP_SECONDS, keyBody } from '../contract/operations/keys.ts';
import { operations } from '../contract/operations.ts';
import { generateKey } from '../domain/key-format.ts';
import type { ApiKey, Scope } from '../domain/model.ts';
import { define, type Result } from './command.ts';
import { issueFirstKey } from './realms.ts';
import { table } from './terminal.ts';
import {
  asCli,
  checkArguments,
  execute,
  pagesOf,
  requireRealm,
  withLedger,
} from './with-ledger.ts';

export const createKey = define({
  summary: 'Issues a key for a realm and shows it once.',
  notes: '"write" implies "read", and "admin" implies both.',
  args: ['realm'],
  options: {
    name: { value: '<name>', required: true, help: 'What the key is for.' },
    scopes: {
      value: '<list>',
      required: true,
      help: 'read, write or admin, separated by commas.',
    },
    expires: {
      value: '<instant>',
      help: 'When it stops working, such as 2027-01-31T00:00:00Z. Default: never.',
    },
  },
  example: 'npx realmkeep key create acme --name "shop bot" --scopes read,write',
  async run({ args: { realm }, values, print }) {
    const { name, expires } = values;
    const scopes = values.scopes.split(',').map((scope) => scope.trim()) as Scope[];
    const body = { name, scopes, expiresAt: expires ?? null };
    checkArguments(operations.createKey, { params: { realmID: realm }, body });
    const { key, newKey } = generateKey();
    const expiresAt = expires === undefined ? null : Date.parse(expires);
    const fields = { newKey, name, scopes, expiresAt };
    const issued = await withLedger((ledger) =>
      execute(ledger, { ...asCli(realm), type: 'key.create', ...fields }),
    );
    print(shownOnce(realm, key, issued));
  },
});

export const listKeys = define({
  summary: 'Lists the keys of a realm, without their secrets.',
  args: ['realm'],
  example: 'npx realmkeep key list acme',
  async run({ args: { realm }, print }) {
    checkArguments(operations.listKeys, { params: { realmID: realm } });
    const pages = await withLedger(async (ledger) => {
      await requireRealm(ledger, realm);
      return Array.fromAsync(
        pagesOf<ApiKey>((last, limit) =>
          ledger.query('apiKeys', { realmId: realm, after: last?.id ?? null, limit }),
        ),
      );
    });
    const keys = pages.flat().map(keyBody);
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
          ? `Realm ${realm} has no keys. ${issueFirstKey(realm)}`
          : table([['ID', 'NAME', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows]),
      json: { items: keys },
    });
  },
});

export const rotateKey = define({
  summary: 'Issues a replacement for a key and shows it once.',
  notes: 'The new key has the same name, scopes and expiry. The old key stays valid for a while.',
  args: ['realm', 'keyId'],
  options: {
    overlap: {
      value: '<seconds>',
      help: `How long the old key stays valid. Default: ${DEFAULT_OVERLAP_SECONDS}.`,
    },
  },
  example: 'npx realmkeep key rotate acme k3Jx81PzQw2m --overlap 600',
  async run({ args: { realm, keyId }, values, print }) {
    const typed = values.overlap ?? String(DEFAULT_OVERLAP_SECONDS);
    const overlapSeconds = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
    const params = { realmID: realm, keyID: keyId };
    checkArguments(operations.rotateKey, { params, body: { overlapSeconds } });
    const { key, newKey } = generateKey();
    const issued = await withLedger((ledger) =>
      execute(ledger, { ...asCli(realm), type: 'key.rotate', keyId, newKey, overlapSeconds }),
    );
    const { text, json } = shownOnce(realm, key, issued);
    const note = `The old key, ${keyId}, stays valid for at most ${overlapSeconds} seconds.`;
    print({ text: `${text}\n${note}`, json });
  },
});

export const revokeKey = define({
  summary: 'Revokes a key: within 2 seconds every node rejects it.',
  args: ['realm', 'keyId'],
  example: 'npx realmkeep key revoke acme k3Jx81PzQw2m',
  async run({ args: { realm, keyId }, print }) {
    checkArguments(operations.revokeKey, { params: { realmID: realm, keyID: keyId } });
    await withLedger((ledger) => execute(ledger, { ...asCli(realm), type: 'key.revoke', keyId }));
    print({
      text: `Revoked key ${keyId} of realm ${realm}.`,
      json: { id: keyId, revoked: true },
    });
  },
});

const shownOnce = (realm: string, key: string, issued: ApiKey): Result => ({
  text: `${key}\nThis key for realm ${realm} is shown only once. Its id is ${issued.id}.`,
  json: { ...keyBody(issued), key },
});
