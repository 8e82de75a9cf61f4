import { newKindOf } from '../contract/operations/kinds.ts';
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
    points: {
      value: '<ids>',
      help: 'Kinds of points, separated by commas; the first is the default. Default: points.',
    },
    'auto-enroll': { help: 'Enrol a member when an unknown member id receives points.' },
  },
  example: 'npx realmkeep realm create acme --name Acme --points gold,gems',
  async run({ args: { id }, values, print }) {
    const { name } = values;
    const settings = { autoEnroll: values['auto-enroll'] === true };
    const points = values.points?.split(',').map(namedById);
    const body = { id, name, settings, ...(points && { points }) };
    checkArguments(operations.createRealm, { body });
    const kinds = points && { kinds: points.map(newKindOf) };
    const realm = await withLedger(
      (ledger) => execute(ledger, { ...asCli(id), type: 'realm.create', name, settings, ...kinds }),
      { create: true },
    );
    print({
      text: `Created realm ${realm.id} (${printable(realm.name)}). ${issueFirstKey(realm.id)}`,
      json: realmBody(realm),
    });
  },
});

/** A kind whose display name is its id; names can be changed later. */
const namedById = (typed: string, index: number) => {
  const id = typed.trim();
  return { id, name: id, isDefault: index === 0 };
};

export const issueFirstKey = (realmId: string): string =>
  'Issue its first key with:\n' +
  `  npx realmkeep key create ${realmId} --name "my first key" --scopes admin`;
