import { ProblemError } from '../../contract/problems.ts';
import { REALM_ID_PATTERN } from '../../contract/schemas.ts';
import type { RateLimit, Realm, RealmSettings } from '../../domain/model.ts';
import { type Call, carryOut, envelope, type Handler, iso } from '../calls.ts';
import { page, walkOf } from '../cursor.ts';

const REALM_ID = new RegExp(REALM_ID_PATTERN);

export const createRealm: Handler<'createRealm'> = async (call, { ledger }) => {
  const { id, name, settings } = call.body;
  // The realm does not exist yet: the idempotency key is scoped to the one that is to be.
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call, id),
    type: 'realm.create',
    name,
    settings: settingsOf(settings),
  });
  return { body: realmBody(answer), replayed };
};

export const listRealms: Handler<'listRealms'> = async (call, { ledger }) => {
  const walk = walkOf(call, {}, (key) => REALM_ID.test(key));
  const realms = await ledger.query('realms', { after: walk.after, limit: walk.limit + 1 });
  return { body: page(realms, walk, (realm) => realm.id, realmBody) };
};

export const getRealm: Handler<'getRealm'> = async (call, { ledger }) => {
  const realmId = call.params.realmID;
  const realm = await ledger.query('realm', { realmId });
  if (!realm) throw new ProblemError('realm-not-found', { realmId });
  return { body: realmBody(realm) };
};

export const updateRealm: Handler<'updateRealm'> = async (call, { ledger }) => {
  const { name, settings } = call.body;
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'realm.update',
    ...(name !== undefined && { name }),
    ...(settings !== undefined && { settings: settingsOf(settings) }),
  });
  return { body: realmBody(answer), replayed };
};

type SentSettings = Call<'updateRealm'>['body']['settings'];

/** The settings we know; a field that we do not know is ignored, not kept. */
function settingsOf(sent: SentSettings = {}): Partial<RealmSettings> {
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

const realmBody = (realm: Realm) => ({
  ...realm,
  createdAt: iso(realm.createdAt),
  updatedAt: iso(realm.updatedAt),
});
