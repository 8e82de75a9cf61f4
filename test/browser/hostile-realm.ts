import type { TestRealm, TestService } from '../support/service.ts';
import { HOSTILE } from './reader.ts';

export const ALICE = '80351110224678912';
export const BOB = '175928847299117063';

/** Names of kinds of points have visible characters only. */
const [MARKUP = ''] = HOSTILE.split('\u202e');

/** A realm with something in every view, in which everything is named as an enemy would. */
export async function hostileRealm(service: TestService, id: string): Promise<TestRealm> {
  const realm = await service.realm(id);
  await realm.expect(200, 'PATCH', '', { body: { name: HOSTILE } });
  await realm.expect(201, 'POST', '/points', { body: { id: 'gems', name: MARKUP, symbol: '◆' } });
  const accounts = [{ provider: 'discord', id: '7', username: HOSTILE }];
  const metadata = { [HOSTILE]: HOSTILE };
  await realm.member(ALICE, 0, { displayName: 'Alice', accounts, metadata });
  await realm.member(BOB, 10, { displayName: HOSTILE, username: HOSTILE });
  for (const index of [1, 2, 3]) {
    await realm.member(String(index), index, { displayName: `Person ${index}` });
  }
  await realm.expect(200, 'PATCH', `/members/${ALICE}/tokenBalance`, {
    body: { tokens: 1270, description: HOSTILE },
  });
  await realm.expect(200, 'PATCH', `/members/${ALICE}/transfer`, {
    body: { recipientId: BOB, tokens: 20, description: HOSTILE },
  });
  await realm.expect(201, 'POST', `/members/${ALICE}/holds`, {
    body: { tokens: 5, description: HOSTILE },
  });
  const wallet = { body: { address: '0x52908400098527886E0F7030069857D2E4169EE7' } };
  await realm.expect(201, 'POST', `/members/${ALICE}/wallets`, wallet);
  const offer = { id: 'mystery', name: MARKUP, description: HOSTILE, delivery: 'manual' };
  await realm.expect(201, 'POST', '/offers', { body: { ...offer, metadata } });
  await realm.expect(201, 'POST', '/offers/mystery/claims', { body: { memberId: BOB } });
  await realm.issueKey(['read'], { name: HOSTILE });
  const person = { name: MARKUP, role: 'viewer' };
  await realm.expect(201, 'POST', '/people', { body: person });
  const hook = { url: 'http://127.0.0.1:1/', types: ['realm.archived'], description: HOSTILE };
  await realm.expect(201, 'POST', '/webhooks', { body: hook });
  return realm;
}
