import type { Static } from 'typebox';
import { MAX_RATE, type Realm as RealmModel } from '../../domain/model.ts';
import { MAX_KINDS } from '../../domain/rules/kinds.ts';
import { iso } from '../instants.ts';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';
import { NewKind } from './kinds.ts';

const define = defineFor('Realms');

const RateLimit = Type.Object({ perSecond: Type.Integer(), burst: Type.Integer() });

const Rate = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_RATE,
  fault: `must be a JSON integer from 1 to ${MAX_RATE}`,
};

const SettingsIn = Type.Object(
  s.optional({
    autoEnroll: s.booleanIn(
      'Whether points for an unknown member id enrol that member. Default false.',
    ),
    transfers: s.booleanIn('Whether members may transfer points to each other. Default true.'),
    maxTokensPerRequest: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: s.MAX_TOKENS,
      description: 'The most points that one movement may carry; null for no limit.',
      fault: `must be a JSON integer from 1 to ${s.MAX_TOKENS}, or null`,
    }),
    rateLimit: Type.Unsafe<Static<typeof RateLimit> | null>({
      type: ['object', 'null'],
      required: ['perSecond', 'burst'],
      properties: { perSecond: Rate, burst: Rate },
      description:
        'Requests per second of each key of the realm, and how many it may make at once after a ' +
        'pause; null for the service’s default. A change takes effect within 2 seconds.',
      fault: 'must be an object with "perSecond" and "burst", or null',
    }),
    siteUrl: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: s.SITE_URL_PATTERN,
      maxLength: 200,
      description:
        'The site where members sign with their wallets, such as `https://acme.example`: ' +
        'wallets show its host and warn on any other site. Null for the service’s own ' +
        '`PUBLIC_URL`.',
      fault: 'must be null, or http:// or https:// with a host, without query and fragment',
    }),
  }),
  {
    description: 'Settings that are absent keep their values.',
    fault: 'must be an object of settings',
  },
);

const Settings = Type.Object(
  {
    autoEnroll: Type.Boolean(),
    transfers: Type.Boolean(),
    maxTokensPerRequest: s.nullable(Type.Integer()),
    rateLimit: s.nullable(RateLimit),
    siteUrl: s.nullable(Type.String()),
  },
  { title: 'RealmSettings' },
);

const Name = s.textIn(128, 'The display name.', { examples: ['Acme'] });

export const Realm = Type.Object(
  {
    id: s.RealmId,
    name: Type.String(),
    settings: Settings,
    createdAt: s.Instant,
    updatedAt: s.Instant,
    archivedAt: s.nullable(s.Instant),
  },
  { title: 'Realm' },
);

export const realmBody = (realm: RealmModel) => ({
  ...realm,
  createdAt: iso(realm.createdAt),
  updatedAt: iso(realm.updatedAt),
  archivedAt: realm.archivedAt === null ? null : iso(realm.archivedAt),
});

const example = {
  id: 'acme',
  name: 'Acme',
  settings: {
    autoEnroll: false,
    transfers: true,
    maxTokensPerRequest: null,
    rateLimit: null,
    siteUrl: null,
  },
  createdAt: '2026-11-14T09:30:00.000Z',
  updatedAt: '2026-11-14T09:30:00.000Z',
  archivedAt: null,
};

const archivedExample = {
  ...example,
  updatedAt: '2026-11-20T09:30:00.000Z',
  archivedAt: '2026-11-20T09:30:00.000Z',
};

export const CONFIRM_FAULT = 'must be the id of the realm in the path: a deleted realm is lost';

export const createRealm = define({
  summary: 'Create a realm',
  description:
    'Creates a realm, with one kind of points, `points`, or with those in `points`. Issue its ' +
    'first key next.',
  body: {
    schema: Type.Object({
      id: s.RealmId,
      name: Name,
      settings: Type.Optional(SettingsIn),
      points: Type.Optional(
        Type.Array(NewKind, {
          minItems: 1,
          maxItems: MAX_KINDS,
          description:
            'The kinds of points that it starts with. Of several, exactly one is the default; ' +
            'a single one is the default by itself.',
          fault: `must be a list of 1 to ${MAX_KINDS} kinds of points`,
        }),
      ),
    }),
    example: { id: 'acme', name: 'Acme' },
  },
  answer: s.created(Realm, example),
  problems: ['realm-exists', 'realm-being-deleted', 'bounds-crossed'],
});

export const listRealms = define({
  summary: 'List realms',
  description: 'All realms of this service, ordered by id.',
  query: Type.Object(s.PageQuery),
  answer: s.listAnswer(Realm, example),
});

export const getRealm = define({
  summary: 'Get a realm',
  description: 'The realm’s name and settings.',
  answer: s.ok(Realm, example),
});

export const updateRealm = define({
  summary: 'Change a realm',
  description: 'Changes the name and settings that are present; all others keep their values.',
  body: {
    schema: Type.Object(s.optional({ name: Name, settings: SettingsIn })),
    example: { settings: { autoEnroll: true } },
  },
  answer: s.ok(Realm, { ...example, settings: { ...example.settings, autoEnroll: true } }),
});

export const archiveRealm = define({
  summary: 'Archive a realm',
  description:
    'Makes the realm read only: every change is refused with `realm-archived`, on every node at ' +
    'once. Holds still expire, and keys can be revoked.',
  answer: s.ok(Realm, archivedExample),
  inArchived: true,
});

export const unarchiveRealm = define({
  summary: 'Unarchive a realm',
  description: 'The realm can be changed again.',
  answer: s.ok(Realm, example),
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
  answer: s.NO_CONTENT,
  inArchived: true,
});
