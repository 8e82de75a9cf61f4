import { operations } from '../contract/operations.ts';
import { generateKey } from '../domain/key-format.ts';
import { define } from './command.ts';
import { asCli, carryOut, checkArguments, keyView, withLedger } from './with-ledger.ts';

const DEFAULT_OVERLAP_SECONDS = 3600;

export const rotateKey = define({
  summary: 'Issues the successor of a key and shows it once.',
  notes: 'The successor has the same name, scopes and expiry. The old key works on for a while.',
  args: ['realm', 'keyId'],
  options: {
    overlap: {
      type: 'string',
      value: '<seconds>',
      help: `How long the old key works on. Default: ${DEFAULT_OVERLAP_SECONDS}.`,
    },
  },
  example: 'realmkeep key rotate acme k3Jx81PzQw2m --overlap 600',
  async run({ args: { realm, keyId }, values, say }) {
    const typed = values.overlap ?? String(DEFAULT_OVERLAP_SECONDS);
    const overlapSeconds = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
    checkArguments(
      operations.rotateKey,
      { params: { realmID: realm, keyID: keyId }, body: { overlapSeconds } },
      { '/path/realmID': '<realm>', '/path/keyID': '<keyId>', '/overlapSeconds': '--overlap' },
    );
    const { key, newKey } = generateKey();
    const issued = await withLedger((ledger) =>
      carryOut(ledger, {
        ...asCli(realm),
        type: 'key.rotate',
        keyId,
        newKey,
        overlapSeconds,
      }),
    );
    say({
      text:
        `${key}\nThis key of the realm ${realm} is shown only now. Its id is ${issued.id}.\n` +
        `The old key, ${keyId}, works on for ${overlapSeconds} seconds at most.`,
      json: { ...keyView(issued), key },
    });
  },
});
