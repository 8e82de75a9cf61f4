import { isoOrNull } from '../../contract/instants.ts';
import { newKindOf } from '../../contract/operations/kinds.ts';
import { CONFIRM_FAULT, realmBody } from '../../contract/operations/realms.ts';
import { invitationOf } from '../../contract/operations/summaries.ts';
import { invalidRequest, ProblemError } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import type { DiscordLink, RealmSettings } from '../../domain/model.ts';
import { expiringKeys, unusualAwards } from '../../domain/rules/attention.ts';
import { linksOf, settingOf } from '../../domain/rules/discord-links.ts';
import { ServerTaken, withServers } from '../../ledger/discord-notes.ts';
import {
  type Answer,
  asIs,
  type Call,
  execute,
  executeIn,
  type Handler,
  pick,
  query,
  realmOf,
} from '../calls.ts';
import { listBody, pageRequest } from '../cursor.ts';

export const createRealm: Handler<'createRealm'> = (call) => {
  const { id, name, settings, points } = call.body;
  const realm = {
    name,
    settings: settingsOf(settings),
    ...(points && { kinds: points.map(newKindOf) }),
  };
  return executeIn(id, call, 'realm.create', realm, realmBody);
};

export const listRealms: Handler<'listRealms'> = async (call) => {
  const request = pageRequest(call, [], isParameter('realmID'));
  const { after, limit } = request;
  const realms = await call.services.ledger.query('realms', { after, limit }, call.caller);
  return { body: listBody(realms, request, ({ id }) => id, realmBody) };
};

export const getRealm: Handler<'getRealm'> = async (call) => {
  return { body: realmBody(await realmOf(call)) };
};

export const updateRealm: Handler<'updateRealm'> = async (call) => {
  const { settings } = call.body;
  const changes = {
    ...pick(call.body, 'name'),
    ...(settings && { settings: settingsOf(settings) }),
  };
  const update = () => execute(call, 'realm.update', changes, realmBody);
  const setting = changes.settings?.discord;
  if (setting === undefined) return update();
  const { ledger, discord } = call.services;
  const realm = await realmOf(call);
  const links = linksOf(setting);
  const answer = await withServers(ledger, realm, links, update).catch(asProblemFor(call));
  discord?.onChanged();
  return answer;
};

/** Whose key is of a realm learns nothing of others. */
const asProblemFor =
  ({ principal }: Call<'updateRealm'>) =>
  (error: unknown): never => {
    if (!(error instanceof ServerTaken)) throw error;
    const { guildId, holder } = error;
    const of = principal.realmId === null ? `realm "${holder}"` : 'another realm';
    throw new ProblemError('discord-server-taken', { guildId, of });
  };

export const archiveRealm: Handler<'archiveRealm'> = (call) =>
  execute(call, 'realm.archive', { archived: true }, realmBody);

export const unarchiveRealm: Handler<'unarchiveRealm'> = (call) =>
  execute(call, 'realm.archive', { archived: false }, realmBody);

export const deleteRealm: Handler<'deleteRealm'> = async (call) => {
  const realmId = call.params.realmID;
  if (call.query.confirm !== realmId) {
    throw invalidRequest([{ pointer: '/query/confirm', detail: CONFIRM_FAULT }]);
  }
  const answer = await execute(call, 'realm.delete', {}, asIs);
  call.services.keyRing.forgetAll();
  await call.services.removals.finished(realmId);
  return answer;
};

type ServersSent = NonNullable<Call<'updateRealm'>['body']['settings']>['discord'];

const linksSent = (sent: ServersSent): DiscordLink[] =>
  [sent ?? []].flat().map(({ guildId, announceChannelId = null, managerRoleId = null }) => ({
    guildId,
    announceChannelId,
    managerRoleId,
  }));

function settingsOf(sent: Call<'updateRealm'>['body']['settings'] = {}): Partial<RealmSettings> {
  const settings = pick(
    sent,
    'autoEnroll',
    'transfers',
    'maxTokensPerRequest',
    'rateLimit',
    'siteUrl',
    'timeZone',
    'unknownMembers',
    'discordPictures',
  );
  const { discord } = sent;
  const { rateLimit } = settings;
  return {
    ...settings,
    ...(rateLimit && { rateLimit: pick(rateLimit, 'perSecond', 'burst') }),
    ...(discord !== undefined && { discord: settingOf(linksSent(discord)) }),
  };
}

export const getDiscordStatus: Handler<'getDiscordStatus'> = async (call) => ({
  body: await discordBody(call),
});

async function discordBody(call: Parameters<typeof realmOf>[0]) {
  const { discord, discordStatus } = call.services;
  const [realm, status] = await Promise.all([realmOf(call), discordStatus()]);
  const servers = linksOf(realm.settings.discord).map(({ guildId }) => {
    const known = status?.guilds.find((guild) => guild.guildId === guildId);
    const isServed = status?.state === 'ready' && known !== undefined;
    return { guildId, isServed, problem: known?.problem ?? null };
  });
  const troubled = servers.find(({ problem }) => problem !== null);
  if (troubled) discord?.recheck();
  const applicationId = status?.applicationId ?? null;
  return {
    state: status?.state ?? (discord ? 'connecting' : 'off'),
    detail: status?.detail ?? null,
    since: status?.since ?? null,
    applicationId,
    invitationUrl: applicationId && invitationOf(applicationId, troubled?.guildId),
    interactions: discord?.publicKey ? 'http' : 'gateway',
    servers,
  } as const;
}

type Item =
  Awaited<ReturnType<Handler<'getAttention'>>> extends Answer<{ items: (infer I)[] }> ? I : never;
type Items = Promise<(Omit<Item, 'at'> & { at: number | null })[]>;

const [AWARDS, CLAIMS, KEYS] = [500, 100, 500];

export const getAttention: Handler<'getAttention'> = async (call) => {
  const isAdmin = call.principal.scopes.has('admin');
  const ofAdmins = isAdmin ? [faults, discord, failingWebhooks, keys].map((of) => of(call)) : [];
  const items = await Promise.all([...ofAdmins, claims(call), awards(call)]);
  return { body: { items: items.flat().map((item) => ({ ...item, at: isoOrNull(item.at) })) } };
};

async function faults({ services, principal, params, ...call }: Call<'getAttention'>): Items {
  const { damage, backup, faults: found } = services.status;
  const { createdAt } = await realmOf({ services, params, ...call });
  const fault = damage === null ? found.get(params.realmID) : { at: null, detail: damage };
  // An earlier realm may have had this id.
  const isOwn = fault && (fault.at ?? createdAt) >= createdAt;
  const age = backup?.at ? Date.now() - backup.at : process.uptime() * 1_000;
  const isOverdue = backup !== null && age > backup.overdueMs && principal.scopes.has('root');
  return [
    ...(isOwn ? [{ type: 'check-failed' as const, ...fault }] : []),
    ...(isOverdue ? [{ type: 'backup-overdue' as const, at: backup.at }] : []),
  ];
}

/** A realm that is linked may also be served by an app elsewhere: then this one is off. */
async function discord(call: Call<'getAttention'>): Items {
  const { state, detail, since, servers } = await discordBody(call);
  const isDown = state === 'refused' || state === 'stopped';
  const isReady = state === 'ready';
  const [bad] = servers.filter(
    ({ isServed, problem }) => isDown || (isReady && (!isServed || problem !== null)),
  );
  if (!bad) return [];
  const why = { detail: bad.problem ?? detail ?? 'The app is not in the server.' };
  return [{ type: 'discord-disconnected', at: since ? Date.parse(since) : null, ...why }];
}

async function failingWebhooks(call: Call<'getAttention'>): Items {
  const { webhooks } = call.services;
  return (await query(call, 'webhooks', {})).flatMap(({ id: webhookId, url, ...webhook }) => {
    const { pausedAt, pauseReason, failingSince, sealedBy, updatedAt } = webhook;
    const isFailing = failingSince !== null || !webhooks.canOpen(sealedBy);
    const at = failingSince ?? pausedAt ?? updatedAt;
    const needsSomebody = pausedAt === null ? isFailing : pauseReason !== 'requested';
    return needsSomebody ? [{ type: 'webhook-failing', at, webhookId, url }] : [];
  });
}

async function keys(call: Call<'getAttention'>): Items {
  const { rows } = await query(call, 'apiKeys', { after: null, limit: KEYS });
  return expiringKeys(rows, Date.now()).map(({ id: keyId, name, expiresAt: at }) => {
    return { type: 'key-expiring', at, keyId, name };
  });
}

async function claims(call: Call<'getAttention'>): Items {
  const which = { status: 'pending', offerId: null, memberId: null, before: null } as const;
  const { rows } = await query(call, 'claims', { ...which, limit: CLAIMS });
  const oldest = rows.at(-1);
  return oldest ? [{ type: 'claims-waiting', at: oldest.at, claims: rows.length }] : [];
}

async function awards(call: Call<'getAttention'>): Items {
  const of = { realmPointId: null, type: 'points.added', from: null, to: null, before: null };
  const { rows } = await query(call, 'transactions', { ...of, limit: AWARDS });
  return unusualAwards(rows, Date.now()).map((award) => ({
    ...{ type: 'award-unusual', at: award.at },
    ...pick(award, 'transactionId', 'memberId', 'realmPointId', 'tokens', 'usual'),
    ...pick(award, 'actor', 'onBehalfOf'),
  }));
}
