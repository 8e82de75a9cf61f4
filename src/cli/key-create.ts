import { keyBody } from '../contract/operations/keys.ts';
import { operations } from '../contract/operations.ts';
import { generateKey } from '../domain/key-format.ts';
import type { Scope } from '../domain/model.ts';
import { define } from './command.ts';
import { asCli, checkArguments, execute, withLedger } from './with-ledger.ts';

export const createKey = define({
  summary: 'Issues a key for a realm and shows it once.',
  notes: '"write" implies "read", and "admin" implies both.',
  args: ['realm'],
  options: {
    name: { type: 'string', value: '<name>', required: true, help: 'What the key is for.' },
    scopes: {
      type: 'string',
      value: '<list>',
      required: true,
      help: 'read, write or admin, separated by commas.',
    },
    expires: {
      type: 'string',
      value: '<instant>',
      help: 'When it stops working, such as 2027-01-31T00:00:00Z. Default: never.',
    },
  },
  example: 'realmkeep key create acme --name "shop bot" --scopes read,write',
  async run({ args: { realm }, values, print }) {
    const name = values.name ?? '';
    const scopes = (values.scopes ?? '').split(',').map((scope) => scope.trim()) as Scope[];
    const expiresAt = values.expires ?? null;
    checkArguments(
      operations.createKey,
      { params: { realmID: realm }, body: { name, scopes, expiresAt } },
      {
        '/path/realmID': '<realm>',
        '/name': '--name',
        '/scopes': '--scopes',
        '/expiresAt': '--expires',
      },
    );
    const { key, newKey } = generateKey();
    const issued = await withLedger((ledger) =>
      execute(ledger, {
        ...asCli(realm),
        type: 'key.create',
        newKey,
        name,
        scopes,
        expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
      }),
    );
    print({
      text: `${key}\nThis key for realm ${realm} is shown only once. Its id is ${issued.id}.`,
      json: { ...keyBody(issued), key },
    });
  },
});
