import { DEFAULT_OVERLAP_SECONDS, keyBody } from '../../contract/operations/keys.ts';
import { isParameter } from '../../contract/validation.ts';
import { generateKey } from '../../domain/key-format.ts';
import { type Answer, asIs, execute, type Handler, query } from '../calls.ts';
import { listBody, pageRequest } from '../cursor.ts';

export const createKey: Handler<'createKey'> = async (call) => {
  const { name, scopes, expiresAt: instant = null } = call.body;
  const { key, newKey } = generateKey();
  const expiresAt = instant === null ? null : Date.parse(instant);
  const issue = { newKey, name, scopes, expiresAt };
  return withSecret(await execute(call, 'key.create', issue, keyBody), key);
};

export const rotateKey: Handler<'rotateKey'> = async (call) => {
  const { key, newKey } = generateKey();
  const overlapSeconds = call.body?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
  const keyId = call.params.keyID;
  const rotation = { keyId, newKey, overlapSeconds };
  const answer = await execute(call, 'key.rotate', rotation, keyBody);
  call.services.keyRing.forget(keyId);
  return withSecret(answer, key);
};

export const revokeKey: Handler<'revokeKey'> = async (call) => {
  const keyId = call.params.keyID;
  const answer = await execute(call, 'key.revoke', { keyId }, asIs);
  call.services.keyRing.forget(keyId);
  return answer;
};

export const listKeys: Handler<'listKeys'> = async (call) => {
  const request = pageRequest(call, [], isParameter('keyID'));
  const { after, limit } = request;
  const keys = await query(call, 'apiKeys', { after, limit });
  return { body: listBody(keys, request, ({ id }) => id, keyBody) };
};

/** A replay cannot show the secret again, since only its hash is stored. */
const withSecret = (answer: Answer<ReturnType<typeof keyBody>>, key: string) => ({
  ...answer,
  body: { ...answer.body, key: answer.replayed ? null : key },
});
