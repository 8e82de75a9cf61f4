import { operations } from '../contract/operations.ts';
import { define } from './command.ts';
import { asCli, carryOut, checkArguments, withLedger } from './with-ledger.ts';

export const revokeKey = define({
  summary: 'Revokes a key: it is refused everywhere within 2 seconds.',
  args: ['realm', 'keyId'],
  options: {},
  example: 'realmkeep key revoke acme k3Jx81PzQw2m',
  async run({ args: { realm, keyId }, say }) {
    checkArguments(
      operations.revokeKey,
      { params: { realmID: realm, keyID: keyId } },
      { '/path/realmID': '<realm>', '/path/keyID': '<keyId>' },
    );
    await withLedger((ledger) => carryOut(ledger, { ...asCli(realm), type: 'key.revoke', keyId }));
    say({
      text: `Revoked the key ${keyId} of the realm ${realm}.`,
      json: { id: keyId, revoked: true },
    });
  },
});
