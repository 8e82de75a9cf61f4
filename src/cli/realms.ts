import { pathsOf, unknownFields } from '../contract/bodies.ts';
import { DEFAULT_OVERLAP_SECONDS, keyBody } from '../contract/operations/keys.ts';
import { newKindOf } from '../contract/operations/kinds.ts';
import { realmBody } from '../contract/operations/realms.ts';
import { operations } from '../contract/operations.ts';
import { generateKey } from '../domain/key-format.ts';
import type { ApiKey, Realm, RealmSettings, Scope } from '../domain/model.ts';
import { define, type Result, UsageError } from './command.ts';
import { details, printable, table } from './terminal.ts';
import {
  allRealms,
  asCli,
  checkArguments,
  execute,
  pagesOf,
  requireRealm,
  withLedger,
} from './with-ledger.ts';

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
    const body = { id, name, settings, points };
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

const issueFirstKey = (realmId: string): string =>
  'Issue its first key with:\n' +
  `  npx realmkeep key create ${realmId} --name "my first key" --scopes admin`;

export const listRealms = define({
  summary: 'Lists all realms.',
  example: 'npx realmkeep realm list',
  async run({ print }) {
    const realms = (await withLedger(allRealms)).map(realmBody);
    const rows = realms.map(({ id, name, createdAt, archivedAt }) => [
      id,
      name,
      createdAt,
      archivedAt ?? 'no',
    ]);
    const none =
      'There are no realms. Create one with "npx realmkeep realm create acme --name Acme".';
    print({
      text: rows.length === 0 ? none : table([['ID', 'NAME', 'CREATED', 'ARCHIVED'], ...rows]),
      json: { items: realms },
    });
  },
});

export const showRealm = define({
  summary: "Shows a realm's name and settings.",
  args: ['realm'],
  example: 'npx realmkeep realm show acme',
  async run({ args: { realm }, print }) {
    checkArguments(operations.getRealm, { params: { realmID: realm } });
    print(shown(await withLedger((ledger) => requireRealm(ledger, realm))));
  },
});

/** The settings and their schemas, as the API has them. Discord has commands of its own. */
const { discord: _, ...SETTINGS } = operations.updateRealm.body.properties.settings.properties;
const settingNames = Object.keys(SETTINGS).join(', ');
const settingLines = Object.keys(SETTINGS).join('\n  ');
type SettingName = Exclude<keyof RealmSettings, 'discord'>;

export const setRealm = define({
  summary: "Changes a realm's name or settings.",
  notes: `Settings:\n  ${settingLines}\nA value is JSON, such as true, 100 or null, or plain text.`,
  args: ['realm'],
  rest: 'setting=value',
  options: { name: { value: '<name>', help: 'The new display name.' } },
  example: 'npx realmkeep realm set acme autoEnroll=true maxTokensPerRequest=10000',
  async run({ args: { realm }, rest, values: { name }, print }) {
    const settings = Object.fromEntries(rest.map(settingOf));
    const body = { ...(name !== undefined && { name }), ...(rest.length > 0 && { settings }) };
    if (Object.keys(body).length === 0) {
      throw new UsageError(`Name a change: --name, or <setting=value> of ${settingNames}.`);
    }
    const names = Object.keys(settings).map((setting) => [`/settings/${setting}`, setting]);
    const params = { realmID: realm };
    checkArguments(operations.updateRealm, { params, body }, Object.fromEntries(names));
    const command = { ...asCli(realm), type: 'realm.update' as const, ...body };
    print(shown(await withLedger((ledger) => execute(ledger, command))));
  },
});

function settingOf(typed: string): [name: SettingName, value: unknown] {
  const [, name = '', text = ''] = /^(\w+)=(.*)$/s.exec(typed) ?? [];
  if (!Object.hasOwn(SETTINGS, name)) {
    throw new UsageError(`"${typed}" must be <setting>=<value>; the settings are ${settingNames}.`);
  }
  const setting = name as SettingName;
  const value = jsonOrText(text);
  if (setting === 'rateLimit' && typeof value !== 'object') {
    throw new UsageError(`rateLimit must be null or an object, such as ${RATE_EXAMPLE}.`);
  }
  const ignored = pathsOf(unknownFields(value, SETTINGS[setting]));
  if (ignored === '') return [setting, value];
  throw new UsageError(`${name} has no field ${ignored.replaceAll(',', ' or ')}.`);
}

const RATE_EXAMPLE = `rateLimit='{"perSecond":5,"burst":10}'`;

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shown(realm: Realm): Result {
  const json = realmBody(realm);
  const { id, name, settings, createdAt, updatedAt, archivedAt } = json;
  const rows = Object.entries(settings).map(([setting, value]) => [
    setting,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const dates = [
    ['created', createdAt],
    ['changed', updatedAt],
    ...(archivedAt === null ? [] : [['archived', archivedAt]]),
  ];
  return { text: details(`Realm ${id}`, [['name', name], ...rows, ...dates]), json };
}

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
