import type { Static } from 'typebox';
import { MAX_RATE, type Realm as RealmModel } from '../../domain/model.ts';
import { MAX_SERVERS } from '../../domain/rules/discord-links.ts';
import { MAX_KINDS } from '../../domain/rules/realms.ts';
import { withInstants } from '../instants.ts';
import { created, defineFor, NO_CONTENT, ok } from '../operation.ts';
import { pagesOf } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';
import { NewKind } from './kinds.ts';

const define = defineFor('Realms');

const snowflakeIn = (description: string) =>
  Type.String({
    pattern: '^[1-9][0-9]{14,19}$',
    description,
    examples: ['81384788765712384'],
    fault: 'must be an id of Discord: a string of 15 to 20 digits',
  });

const server = { guildId: snowflakeIn('The id of the server.') };
const inServer = {
  announceChannelId: s.nullable(
    snowflakeIn('Where gifts, draws and new offers are announced; null for nowhere.'),
  ),
  managerRoleId: s.nullable(
    snowflakeIn('Whose bearers manage points, besides who may manage the server; null for none.'),
  ),
};
const Server = named('DiscordServer', { ...server, ...inServer });
const aboutDiscord = {
  description:
    'The server of Discord whose members are those of the realm, or a list if there are several, ' +
    `at most ${MAX_SERVERS}. Set as a whole: what is absent is null. A server belongs to one ` +
    'realm. Null unlinks all.',
};

const settings = {
  autoEnroll: s.booleanIn(
    'Whether points for an unknown member id enrol that member. Default false.',
  ),
  transfers: {
    ...s.booleanIn('Whether members may transfer points to each other. Default true.'),
    examples: [true],
  },
  maxTokensPerRequest: s.nullable(
    s.integerIn(1, s.MAX_TOKENS, 'The most points that one movement may carry; null for no limit.'),
  ),
  rateLimit: s.nullable(
    Type.Object(
      {
        perSecond: s.integerIn(1, MAX_RATE, 'Requests per second.'),
        burst: s.integerIn(1, MAX_RATE, 'Requests at once.'),
      },
      {
        description:
          'Requests per second of each key of the realm, and how many it may make at once after ' +
          'a pause; null for the service’s default. A change takes effect within 2 seconds.',
        fault: 'must be an object with "perSecond" and "burst"',
      },
    ),
  ),
  siteUrl: s.nullable(
    Type.String({
      pattern: s.SITE_URL_PATTERN,
      maxLength: 200,
      description:
        'The site where members sign with their wallets, such as `https://acme.example`: ' +
        'wallets show its host and warn on any other site. Null for the service’s own ' +
        '`PUBLIC_URL`.',
      fault: 'must be http:// or https:// with a host, without query and fragment',
    }),
  ),
  timeZone: Type.String({
    timeZone: true,
    maxLength: 64,
    description:
      'Where the days, weeks and months of offers begin: the IANA name of a time zone. Default ' +
      '`UTC`. Past claims keep their days.',
    examples: ['UTC'],
    fault: 'must be the name of a time zone, such as "Europe/Berlin"',
  }),
  unknownMembers: s.choiceOf(['not-found', 'zero'], {
    default: 'not-found',
    description:
      'What a read of a member answers for an unknown id: 404, or 200 with zero balances and the ' +
      'status `unknown`, for bots that ask about everybody.',
  }),
  discordPictures: s.booleanIn(
    'Whether the console shows the pictures that members have on Discord. Default false.',
  ),
  discord: Type.Union([Server, Type.Array(Server), Type.Null()], aboutDiscord),
};

const ServerIn = Type.Object(
  { ...server, ...s.optional(inServer) },
  { fault: 'must be an object with "guildId"' },
);

/** No union: the faults of a value are those of the form that it has. */
const ServersIn = Type.Unsafe<Static<typeof ServerIn> | Static<typeof ServerIn>[] | null>({
  ...ServerIn,
  ...aboutDiscord,
  type: ['object', 'array', 'null'],
  items: ServerIn,
  maxItems: MAX_SERVERS,
  fault: `must be an object with "guildId", a list of at most ${MAX_SERVERS} of them, or null`,
});

const SettingsIn = Type.Object(s.optional({ ...settings, discord: ServersIn }), {
  description: 'Settings that are absent keep their values.',
  fault: 'must be an object of settings',
});

/** A server is linked to a realm that there is. */
const { discord: _, ...firstSettings } = settings;
const FirstSettings = Type.Object(s.optional(firstSettings), {
  description: 'Settings that are absent have their defaults. `discord` is set later.',
  fault: 'must be an object of settings',
});

const Name = s.textIn(128, 'The display name.', { examples: ['Acme'] });

const Realm = named('Realm', {
  id: s.RealmId,
  name: Name,
  settings: named('RealmSettings', settings),
  createdAt: s.Instant,
  updatedAt: s.Instant,
  archivedAt: s.InstantOrNull,
});

export const realmBody = (realm: RealmModel) => withInstants(realm);

const ARCHIVED_AT = '2026-11-20T09:30:00.000Z';

export const CONFIRM_FAULT = 'must be the id of the realm in the path: a deleted realm is lost';

export const createRealm = define({
  isStrict: true,
  summary: 'Create a realm',
  description:
    'Creates a realm, with one kind of points, `points`, or with those in `points`. Issue its ' +
    'first key next.',
  body: Type.Object({
    id: s.RealmId,
    name: Name,
    ...s.optional({
      settings: FirstSettings,
      points: Type.Array(NewKind, {
        minItems: 1,
        maxItems: MAX_KINDS,
        description:
          'The kinds of points that it starts with. Of several, exactly one is the default; ' +
          'a single one is the default by itself.',
        fault: `must be a list of 1 to ${MAX_KINDS} kinds of points`,
      }),
    }),
  }),
  example: { id: 'acme', name: 'Acme' },
  answer: created(Realm),
  problems: ['realm-exists', 'realm-being-deleted', 'bounds-crossed'],
});

export const listRealms = define({
  summary: 'List realms',
  description: 'All realms of this service, ordered by id.',
  ...pagesOf(Realm),
});

export const getRealm = define({
  summary: 'Get a realm',
  description: 'The realm’s name and settings.',
  answer: ok(Realm),
});

export const updateRealm = define({
  isStrict: true,
  summary: 'Change a realm',
  description: 'Changes the name and settings that are present; all others keep their values.',
  body: Type.Object(s.optional({ name: Name, settings: SettingsIn })),
  example: { settings: { autoEnroll: true } },
  answer: ok(Realm, { settings: { autoEnroll: true } }),
  problems: ['discord-server-taken'],
});

export const archiveRealm = define({
  summary: 'Archive a realm',
  description:
    'Makes the realm read only: every change is refused with `realm-archived`, on every node at ' +
    'once. Holds still expire, and keys can be revoked.',
  answer: ok(Realm, { updatedAt: ARCHIVED_AT, archivedAt: ARCHIVED_AT }),
  inArchived: true,
});

export const unarchiveRealm = define({
  summary: 'Unarchive a realm',
  description: 'The realm can be changed again.',
  answer: ok(Realm),
  inArchived: true,
});

export const deleteRealm = define({
  summary: 'Delete a realm',
  description:
    'Deletes the realm for good: its members, points, keys and journal. It is gone at once, and ' +
    'within 2 seconds every node rejects its keys. What is stored of it is removed before the ' +
    'answer or, if that takes more than a few seconds, after it; then the id is free again.',
  query: Type.Object({
    confirm: Type.String({
      description: 'The id of the realm once more, as a safeguard.',
      examples: ['acme'],
      fault: CONFIRM_FAULT,
    }),
  }),
  answer: NO_CONTENT,
  inArchived: true,
});
