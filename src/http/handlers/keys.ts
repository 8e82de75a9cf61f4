import { generateKey } from '../../domain/key-format.ts';
import type { ApiKey } from '../../domain/model.ts';
import { carryOut, envelope, type Handler, iso, isoOrNull, requireRealm } from '../calls.ts';
import { page, walkOf } from '../cursor.ts';

const DEFAULT_OVERLAP_SECONDS = 3600;

export const createKey: Handler<'createKey'> = async (call, { ledger }) => {
  const { name, scopes, expiresAt = null } = call.body;
  const { key, kept } = generateKey();
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'key.create',
    newKey: kept,
    name,
    scopes,
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
  });
  return { body: { ...keyBody(answer), key: replayed ? null : key }, replayed };
};

export const rotateKey: Handler<'rotateKey'> = async (call, { ledger, keyRing }) => {
  const { key, kept } = generateKey();
  const { answer, replayed } = await carryOut(ledger, {
    ...envelope(call),
    type: 'key.rotate',
    keyId: call.params.keyID,
    newKey: kept,
    overlapSeconds: call.body?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS,
  });
  keyRing.forget(call.params.keyID);
  return { body: { ...keyBody(answer), key: replayed ? null : key }, replayed };
};

export const revokeKey: Handler<'revokeKey'> = async (call, { ledger, keyRing }) => {
  await carryOut(ledger, { ...envelope(call), type: 'key.revoke', keyId: call.params.keyID });
  keyRing.forget(call.params.keyID);
  return { body: null };
};

export const listKeys: Handler<'listKeys'> = async (call, services) => {
  const walk = walkOf(call, {}, (key) => /^[0-9A-Za-z]+$/.test(key));
  const params = { realmId: call.params.realmID, after: walk.after, limit: walk.limit + 1 };
  const keys = await services.ledger.query('apiKeys', params);
  if (keys.length === 0) await requireRealm(call, services);
  return { body: page(keys, walk, (key) => key.id, keyBody) };
};

const keyBody = ({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: ApiKey) => ({
  id,
  name,
  scopes,
  createdAt: iso(createdAt),
  expiresAt: isoOrNull(expiresAt),
  lastUsedAt: isoOrNull(lastUsedAt),
});
