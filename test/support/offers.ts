import { done, newKind } from './points.ts';
import type { Reply, TestRealm, TestService } from './service.ts';

/** A realm with the members 1 (100 points) and 2 (none), and a second kind of points. */
export async function community(
  service: TestService,
  id: string,
  settings: object = {},
): Promise<TestRealm> {
  const realm = await service.realm(id, settings);
  await newKind(realm, 'gems');
  await realm.member('1', 100);
  await realm.member('2');
  return realm;
}

export const createOffer = (realm: TestRealm, id: string, terms: object): Promise<Reply['json']> =>
  done(realm.send('POST', '/offers', { body: { id, name: `The ${id}`, ...terms } }));
export const changeOffer = (realm: TestRealm, id: string, body: object) =>
  done(realm.send('PATCH', `/offers/${id}`, { body }));
export const claim = (
  realm: TestRealm,
  id: string,
  memberId: string,
  more: object = {},
  headers = {},
) => realm.send('POST', `/offers/${id}/claims`, { body: { memberId, ...more }, headers });
export const close = (realm: TestRealm, claimId: number, verb: 'deliver' | 'reject') =>
  realm.send('POST', `/claims/${claimId}/${verb}`);
export const read = async (realm: TestRealm, path: string) =>
  (await realm.expect(200, 'GET', path)).json;
export const balances = async (realm: TestRealm, id: string) =>
  (await read(realm, `/members/${id}`)).balances;
