import { operations } from '../contract/operations.ts';
import { define } from './command.ts';
import { asCli, checkArguments, execute, withLedger } from './with-ledger.ts';

export const revokeKey = define({
  summary: 'Revokes a key: within 2 seconds every node rejects it.',
  args: ['realm', 'keyId'],
  options: {},
  example: 'realmkeep key revoke acme k3Jx81PzQw2m',
  async run({ args: { realm, keyId }, print }) {
    checkArguments(
      operations.revokeKey,
      { params: { realmID: realm, keyID: keyId } },
      { '/path/realmID': '<realm>', '/path/keyID': '<keyId>' },
    );
    await withLedger((ledger) => execute(ledger, { ...asCli(realm), type: 'key.revoke', keyId }));
    print({
      text: `Revoked key ${keyId} of realm ${realm}.`,
      json: { id: keyId, revoked: true },
    });
  },
});
