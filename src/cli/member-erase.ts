import { operations } from '../contract/operations.ts';
import { Erasures } from '../engine/erasures.ts';
import { define } from './command.ts';
import { Progress } from './progress.ts';
import { asCli, checkArguments, execute, withLedger } from './with-ledger.ts';

export const eraseMember = define({
  summary: 'Removes a member and erases its personal data.',
  notes:
    'Erases names, accounts, wallets, metadata and descriptions from the records of the member,\n' +
    'also if it was removed before. Points and their movements stay, and the journal still\n' +
    'proves itself. This cannot be undone. Run "npx realmkeep vacuum" afterwards;\n' +
    'docs/erasure.md says why, and what to do about backups.',
  args: ['realm', 'member'],
  options: { forfeit: { help: 'Give up the remaining balances of the member.' } },
  example: 'npx realmkeep member erase acme 80351110224678912',
  async run({ args: { realm, member: memberId }, values, print }) {
    checkArguments(operations.removeMember, { params: { realmID: realm, memberID: memberId } });
    const { forfeit = false } = values;
    await withLedger(async (ledger) => {
      const removal = { memberId, forfeit, erase: true };
      await execute(ledger, { ...asCli(realm), type: 'member.remove', ...removal });
      using progress = new Progress();
      progress.show(`Erasing member ${memberId}`);
      await new Erasures(ledger).erase(realm);
    });
    print({
      text:
        `Erased member ${memberId} of realm ${realm}. Run "npx realmkeep vacuum" to remove what ` +
        'is left of it in unused space of the database.',
      json: { realmId: realm, memberId },
    });
  },
});
