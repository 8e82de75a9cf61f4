import { realmBody } from '../../contract/operations/realms.ts';
import { ProblemError } from '../../contract/problems.ts';
import { REALM_ID_PATTERN } from '../../contract/schemas.ts';
import type { RateLimit, RealmSettings } from '../../domain/model.ts';
import { type Call, execute, executeIn, type Handler } from '../calls.ts';
import { pageOf, pageRequest } from '../cursor.ts';

const REALM_ID = new RegExp(REALM_ID_PATTERN);

export const createRealm: Handler<'createRealm'> = (call, services) => {
  const { id, name, settings } = call.body;
  const command = { type: 'realm.create' as const, name, settings: settingsOf(settings) };
  return executeIn(id, call, services, command, realmBody);
};

export const listRealms: Handler<'listRealms'> = async (call, { ledger }) => {
  const request = pageRequest(call, {}, (key) => REALM_ID.test(key));
  const realms = await ledger.query('realms', { after: request.after, limit: request.fetch });
  return { body: pageOf(realms, request, ({ id }) => id, realmBody) };
};

export const getRealm: Handler<'getRealm'> = async (call, { ledger }) => {
  const realmId = call.params.realmID;
  const realm = await ledger.query('realm', { realmId });
  if (!realm) throw new ProblemError('realm-not-found', { realmId });
  return { body: realmBody(realm) };
};

export const updateRealm: Handler<'updateRealm'> = (call, services) => {
  const { name, settings } = call.body;
  const changes = {
    ...(name !== undefined && { name }),
    ...(settings !== undefined && { settings: settingsOf(settings) }),
  };
  return execute(call, services, { type: 'realm.update', ...changes }, realmBody);
};

type SettingsSent = Call<'updateRealm'>['body']['settings'];

/** Only the settings we know: an unknown field is ignored, not stored. */
function settingsOf(sent: SettingsSent = {}): Partial<RealmSettings> {
  const { autoEnroll, transfers, maxTokensPerRequest, rateLimit, siteUrl } = sent;
  return {
    ...(autoEnroll !== undefined && { autoEnroll }),
    ...(transfers !== undefined && { transfers }),
    ...(maxTokensPerRequest !== undefined && { maxTokensPerRequest }),
    ...(rateLimit !== undefined && { rateLimit: rateLimit && rateLimitOf(rateLimit) }),
    ...(siteUrl !== undefined && { siteUrl }),
  };
}

const rateLimitOf = ({ perSecond, burst }: RateLimit): RateLimit => ({ perSecond, burst });
