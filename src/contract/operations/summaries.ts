import { defineFor, ok } from '../operation.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Realms');

export const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** Each is a search in the journal. */
const MAX_BALANCES = 92;

const Day = s.text('A day in UTC.', '2026-11-14');

const daysUpTo = (maximum: number) =>
  s.integerInQuery(
    { minimum: 1, maximum, default: DEFAULT_DAYS },
    `How many days, 1 to ${maximum}.`,
  );

export const getRealmSummary = define({
  summary: 'Get what a realm adds up to',
  description:
    'Members, records and points of a realm, and how many records each of the last ' +
    `${DEFAULT_DAYS} days has, the current one last.`,
  answer: ok(
    named('RealmSummary', {
      realmId: s.RealmId,
      members: s.integer('Members that are not removed.', 12480),
      records: s.integer('Records in the journal.', 98211),
      lastActivityAt: { ...s.Instant, description: 'When the last record was written.' },
      circulation: s.sumsByKind('The points that all members have together, by kind.', {
        points: 1250000,
      }),
      held: s.sumsByKind('How much of them open holds set aside.', { points: 300 }),
      activity: Type.Array(
        Type.Object({ day: Day, records: s.integer('Records of the day.', 412) }),
      ),
    }),
  ),
});

export const getActivity = define({
  summary: 'Get points and active members by day',
  description:
    'What happened to members and one kind of points on each of the last days in UTC, oldest ' +
    'first, the current one last. Transfers issue and spend nothing. A reversal is subtracted ' +
    'on its own day, so a day can be negative. Opening balances are not issued. A member is ' +
    'active by earning, spending, giving or getting points.',
  query: Type.Object(
    s.optional({
      realmPointId: s.RealmPointIdInQuery,
      days: daysUpTo(MAX_DAYS),
      to: s.instantIn('In the last of the days; today if absent.'),
    }),
  ),
  answer: ok(
    named('Activity', {
      realmPointId: s.RealmPointId,
      activeMembers: s.integer('Members who were active in these days, each once.', 940),
      days: Type.Array(
        Type.Object({
          day: Day,
          issued: s.sum('Points added, less reversals.', 1200),
          spent: s.sum('Points subtracted and captured without a recipient, less reversals.', 350),
          records: s.integer('Records about this kind of points.', 57),
          circulation: s.sum('The points of all members at the end of the day.', 1250000),
          members: s.integer('Members at the end of the day.', 12480),
          activeMembers: s.integer('Members who were active.', 410),
          newMembers: s.integer('Those of them who were so for the first time.', 12),
          returningMembers: s.integer('So in an earlier week, and not yet in this one.', 96),
        }),
      ),
    }),
  ),
});

export const getBalanceHistory = define({
  summary: 'Get a member’s balances by day',
  description:
    'The member’s balances at the end of each of the last days in UTC, oldest first; those of ' +
    'the current day are as of now.',
  query: Type.Object(s.optional({ days: daysUpTo(MAX_BALANCES) })),
  answer: ok(
    named('BalanceHistory', {
      memberId: s.MemberId,
      days: Type.Array(Type.Object({ day: Day, balances: s.Balances })),
    }),
  ),
});

const OF_SERVICE = ['check-failed', 'backup-overdue', 'discord-disconnected'] as const;
const OF_REALM = ['webhook-failing', 'key-expiring', 'claims-waiting', 'award-unusual'] as const;

export const getAttention = define({
  summary: 'Get what needs attention',
  description:
    'What somebody should look at, the gravest first; nothing if all is well. Claims and awards ' +
    'are there for every key, backups for the root key and owners, the rest for `admin`.',
  answer: ok(
    named('Attention', {
      items: Type.Array(
        Type.Object({
          type: s.choiceOf([...OF_SERVICE, ...OF_REALM]),
          at: { ...s.InstantOrNull, description: 'Since when, if known; or when a key expires.' },
          ...s.optional({
            detail: s.text('What is wrong.', 'record 7 is missing'),
            webhookId: s.text('The webhook.', 'q7Lm20RtYb5c'),
            url: s.text('Where it sends events.', 'https://bot.acme.example/realmkeep'),
            keyId: s.text('The key.', 'k3Jx81PzQw2m'),
            name: s.text('The name of the key.', 'shop bot'),
            claims: s.integer('How many claims wait for delivery.', 3),
            transactionId: s.TransactionId,
            memberId: s.MemberId,
            realmPointId: s.RealmPointId,
            tokens: s.integer('What was awarded.', 50_000),
            usual: s.integer('What awards do not exceed usually.', 100),
            actor: s.text('Who awarded it.', 'key:k3Jx81PzQw2m'),
            onBehalfOf: s.text('For whom.', 'discord:80351110224678912'),
          }),
        }),
      ),
    }),
  ),
});

const EXAMPLE_ID = '1099511627776123456';

/** To see channels and write to them, with embeds; and to give roles that offers grant. */
const PERMISSIONS = (1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 28n);

/** Where an application is added to a server. */
export const invitationOf = (applicationId: string, guildId?: string): string =>
  'https://discord.com/oauth2/authorize?' +
  new URLSearchParams({
    client_id: applicationId,
    scope: 'bot applications.commands',
    permissions: String(PERMISSIONS),
    ...(guildId && { guild_id: guildId }),
  });

export const getDiscordStatus = define({
  summary: 'Get the state of the Discord app',
  description:
    'Whether the service is connected to Discord, and what is wrong with the servers of the realm.',
  answer: ok(
    Type.Object({
      state: s.choiceOf(['off', 'connecting', 'ready', 'waiting', 'refused', 'stopped'], {
        description:
          '`off`: `DISCORD_TOKEN` is not set. `ready`: members can use its commands. `refused`: ' +
          'Discord refuses the token or the application; the operator has to correct that. ' +
          '`waiting`: for another process that has stopped.',
        examples: ['ready'],
      }),
      detail: s.nullable(s.text('Why, in words.')),
      since: s.InstantOrNull,
      applicationId: s.nullable(s.text('The application, once Discord has told it.', EXAMPLE_ID)),
      invitationUrl: s.nullable(
        s.text(
          'Where the app is added to a server: to the first that has a problem, or to any.',
          invitationOf(EXAMPLE_ID),
        ),
      ),
      interactions: s.choiceOf(['gateway', 'http'], {
        description: 'How members’ commands arrive.',
        examples: ['gateway'],
      }),
      servers: Type.Array(
        Type.Object({
          guildId: s.text('Its id.', '81384788765712384'),
          isServed: s.flag('Whether the app is connected, and knows it.', true),
          problem: s.nullable(s.text('What somebody has to do about it.')),
        }),
        { description: 'The servers that the realm is linked to.' },
      ),
    }),
    { detail: null },
  ),
});
