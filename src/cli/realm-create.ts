import { realmBody } from '../contract/operations/realms.ts';
import { operations } from '../contract/operations.ts';
import { define } from './command.ts';
import { printable } from './table.ts';
import { asCli, checkArguments, execute, withLedger } from './with-ledger.ts';

export const createRealm = define({
  summary: 'Creates a realm.',
  args: ['id'],
  options: {
    name: { value: '<name>', required: true, help: 'Display name.' },
    'auto-enroll': { help: 'Enrol a member when an unknown member id receives points.' },
  },
  example: 'realmkeep realm create acme --name Acme',
  async run({ args: { id }, values, print }) {
    const fields = { name: values.name, settings: { autoEnroll: values['auto-enroll'] === true } };
    checkArguments(operations.createRealm, { body: { id, ...fields } });
    const realm = await withLedger(
      (ledger) => execute(ledger, { ...asCli(id), type: 'realm.create', ...fields }),
      { create: true },
    );
    print({
      text:
        `Created realm ${realm.id} (${printable(realm.name)}). Issue its first key with:\n` +
        `  realmkeep key create ${realm.id} --name "my first key" --scopes admin`,
      json: realmBody(realm),
    });
  },
});
