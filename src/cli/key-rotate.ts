import { DEFAULT_OVERLAP_SECONDS, keyBody } from '../contract/operations/keys.ts';
import { operations } from '../contract/operations.ts';
import { generateKey } from '../domain/key-format.ts';
import { define } from './command.ts';
import { asCli, checkArguments, execute, withLedger } from './with-ledger.ts';

export const rotateKey = define({
  summary: 'Issues a replacement for a key and shows it once.',
  notes: 'The new key has the same name, scopes and expiry. The old key stays valid for a while.',
  args: ['realm', 'keyId'],
  options: {
    overlap: {
      type: 'string',
      value: '<seconds>',
      help: `How long the old key stays valid. Default: ${DEFAULT_OVERLAP_SECONDS}.`,
    },
  },
  example: 'realmkeep key rotate acme k3Jx81PzQw2m --overlap 600',
  async run({ args: { realm, keyId }, values, print }) {
    const typed = values.overlap ?? String(DEFAULT_OVERLAP_SECONDS);
    const overlapSeconds = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
    checkArguments(
      operations.rotateKey,
      { params: { realmID: realm, keyID: keyId }, body: { overlapSeconds } },
      { '/path/realmID': '<realm>', '/path/keyID': '<keyId>', '/overlapSeconds': '--overlap' },
    );
    const { key, newKey } = generateKey();
    const issued = await withLedger((ledger) =>
      execute(ledger, {
        ...asCli(realm),
        type: 'key.rotate',
        keyId,
        newKey,
        overlapSeconds,
      }),
    );
    print({
      text:
        `${key}\nThis key for realm ${realm} is shown only once. Its id is ${issued.id}.\n` +
        `The old key, ${keyId}, stays valid for at most ${overlapSeconds} seconds.`,
      json: { ...keyBody(issued), key },
    });
  },
});
