import { operations } from '../contract/operations.ts';
import { define } from './command.ts';
import { instant, printable } from './table.ts';
import { asCli, carryOut, checkArguments, withLedger } from './with-ledger.ts';

export const createRealm = define({
  summary: 'Creates a realm.',
  args: ['id'],
  options: {
    name: { type: 'string', value: '<name>', required: true, help: 'The name shown to people.' },
    'auto-enroll': {
      type: 'boolean',
      help: 'Let a credit to an unknown member id enrol that member.',
    },
  },
  example: 'realmkeep realm create acme --name Acme',
  async run({ args: { id }, values, say }) {
    const name = values.name ?? '';
    const settings = { autoEnroll: values['auto-enroll'] === true };
    const names = { '/id': '<id>', '/name': '--name' };
    checkArguments(operations.createRealm, { body: { id, name, settings } }, names);
    const command = { ...asCli(id), type: 'realm.create' as const, name, settings };
    const realm = await withLedger((ledger) => carryOut(ledger, command), { create: true });
    say({
      text:
        `Created the realm ${realm.id} (${printable(realm.name)}). Issue its first key with:\n` +
        `  realmkeep key create ${realm.id} --name "my first key" --scopes admin`,
      json: {
        ...realm,
        createdAt: instant(realm.createdAt),
        updatedAt: instant(realm.updatedAt),
      },
    });
  },
});
