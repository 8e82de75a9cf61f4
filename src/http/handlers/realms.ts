import { newKindOf } from '../../contract/operations/kinds.ts';
import { CONFIRM_FAULT, realmBody } from '../../contract/operations/realms.ts';
import { invalidRequest, ProblemError } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import type { DiscordLink, RealmSettings } from '../../domain/model.ts';
import { linksOf, settingOf } from '../../domain/rules/discord-links.ts';
import { ServerTaken, withServers } from '../../ledger/discord-notes.ts';
import { asIs, type Call, execute, executeIn, type Handler, pick, realmOf } from '../calls.ts';
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
