import type { OperationId } from '../../src/contract/operations.ts';
import { Authenticator } from './authenticator.ts';
import type { Sent, TestRealm } from './service.ts';
import { evmSigner } from './signers.ts';

/** What is sent to add a passkey. */
async function newPasskey({ service }: TestRealm) {
  const { json } = await service.expect(201, 'POST', '/api/v4/sessions/challenge', { key: null });
  return new Authenticator().register(json);
}

const { address, sign } = evmSigner();

async function newLink({ id, service }: TestRealm) {
  const path = `/api/v4/realms/${id}/members/42/wallet-link`;
  const { url } = (await service.expect(201, 'POST', path)).json;
  return { code: String(url).split('#')[1], address };
}

/** What is sent to redeem a link: a signature of the wallet. */
async function newProof(realm: TestRealm) {
  const body = await newLink(realm);
  const opened = await realm.service.expect(200, 'POST', '/api/v4/wallet-links/open', { body });
  const { message } = opened.json;
  return { ...body, message, signature: sign(message) };
}

/** Of operations whose valid request is another one each time. */
export const newBodies: { [Id in OperationId]?: (realm: TestRealm) => Promise<unknown> } = {
  createPasskey: newPasskey,
  openWalletLink: newLink,
  redeemWalletLink: newProof,
};

/** None for who sends text or a header of their own: that is refused before a body counts. */
export const newBodyOf = async (id: OperationId, realm: TestRealm, sent: Sent): Promise<unknown> =>
  sent.raw || sent.headers?.authorization ? undefined : newBodies[id]?.(realm);
