import { newKindOf } from '../../contract/operations/kinds.ts';
import { CONFIRM_FAULT, realmBody } from '../../contract/operations/realms.ts';
import { invalidRequest } from '../../contract/problems.ts';
import { isParameter } from '../../contract/validation.ts';
import type { RealmSettings } from '../../domain/model.ts';
import {
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

export const createRealm: Handler<'createRealm'> = (call, services) => {
  const { id, name, settings, points } = call.body;
  const realm = {
    name,
    settings: settingsOf(settings),
    ...(points && { kinds: points.map(newKindOf) }),
  };
  return executeIn(id, call, services, 'realm.create', realm, realmBody);
};

export const listRealms: Handler<'listRealms'> = async (call, services) => {
  const request = pageRequest(call, [], isParameter('realmID'));
  const { after, limit } = request;
  const realms = await query(call, services, 'realms', { after, limit });
  return { body: listBody(realms, request, ({ id }) => id, realmBody) };
};

export const getRealm: Handler<'getRealm'> = async (call, services) => {
  return { body: realmBody(await realmOf(call, services)) };
};

export const updateRealm: Handler<'updateRealm'> = (call, services) => {
  const { settings } = call.body;
  const changes = {
    ...pick(call.body, 'name'),
    ...(settings && { settings: settingsOf(settings) }),
  };
  return execute(call, services, 'realm.update', changes, realmBody);
};

export const archiveRealm: Handler<'archiveRealm'> = (call, services) =>
  execute(call, services, 'realm.archive', { archived: true }, realmBody);

export const unarchiveRealm: Handler<'unarchiveRealm'> = (call, services) =>
  execute(call, services, 'realm.archive', { archived: false }, realmBody);

export const deleteRealm: Handler<'deleteRealm'> = async (call, services) => {
  const realmId = call.params.realmID;
  if (call.query.confirm !== realmId) {
    throw invalidRequest([{ pointer: '/query/confirm', detail: CONFIRM_FAULT }]);
  }
  const answer = await execute(call, services, 'realm.delete', {}, asIs);
  services.keyRing.forgetRealm(realmId);
  await services.removals.finished(realmId);
  return answer;
};

function settingsOf(sent: Call<'updateRealm'>['body']['settings'] = {}): Partial<RealmSettings> {
  const names = ['autoEnroll', 'transfers', 'maxTokensPerRequest', 'rateLimit', 'siteUrl'] as const;
  const settings = pick(sent, ...names);
  const { rateLimit } = settings;
  return rateLimit ? { ...settings, rateLimit: pick(rateLimit, 'perSecond', 'burst') } : settings;
}
