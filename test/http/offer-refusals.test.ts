import { type OfferCode, type Refusing, testRefusals } from '../support/refusing.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Every refusal of offers and claims: its extension members, and that nothing changes. */
const service = await serviceForFile();

const PAST = '2026-01-01T00:00:00.000Z';
const FUTURE = '2999-01-01T00:00:00.000Z';

const create =
  (terms: object, id = 'hat') =>
  (realm: TestRealm) =>
    realm.expect(201, 'POST', '/offers', { body: { id, name: 'A hat', ...terms } });
const claim = (realm: TestRealm, body: object = {}) =>
  realm.send('POST', '/offers/hat/claims', { body: { memberId: 1, ...body } });
const draw = (realm: TestRealm) => realm.send('POST', '/offers/hat/draw', { body: { winners: 1 } });
const free = { delivery: 'manual' };

/** Several of these, one after another. */
const all =
  (...acts: ((realm: TestRealm) => Promise<unknown>)[]) =>
  async (realm: TestRealm) => {
    for (const act of acts) await act(realm);
  };

let claimId = 0;
const claimed = async (realm: TestRealm) => {
  claimId = (await claim(realm)).json.claimId;
};

const refusals: Record<Exclude<OfferCode, 'draw-outdated'>, Refusing[]> = {
  'offer-exists': [
    {
      given: create(free),
      ask: (realm) =>
        realm.send('POST', '/offers', { body: { id: 'hat', name: 'x', gives: { points: 1 } } }),
      extra: { offerId: 'hat' },
    },
  ],
  'offer-not-found': [
    { ask: (realm) => claim(realm), extra: { offerId: 'hat' } },
    { ask: (realm) => realm.send('GET', '/offers/hat') },
    { ask: (realm) => realm.send('PATCH', '/offers/hat', { body: { name: 'x' } }) },
    { ask: draw },
    {
      ask: (realm) => {
        const body = { id: 'x', name: 'x', gives: { points: 1 }, requires: { claimed: 'hat' } };
        return realm.send('POST', '/offers', { body });
      },
    },
  ],
  'offer-incomplete': [
    {
      given: create({ gives: { points: 1 } }),
      ask: (realm) => realm.send('PATCH', '/offers/hat', { body: { gives: {} } }),
      extra: { offerId: 'hat' },
    },
  ],
  'offer-closed': [
    {
      given: create({ ...free, closesAt: PAST }),
      ask: claim,
      extra: { offerId: 'hat', opensAt: null, closesAt: PAST, offerStatus: 'closed' },
    },
    { given: create({ ...free, opensAt: FUTURE }), ask: claim, extra: { opensAt: FUTURE } },
  ],
  'offer-sold-out': [
    { given: create({ ...free, stock: 0 }), ask: claim, extra: { stockLeft: 0 } },
    {
      given: create({ ...free, stock: 2 }),
      ask: (realm) => claim(realm, { quantity: 3 }),
      extra: { stockLeft: 2 },
    },
  ],
  'offer-limit-reached': [
    {
      given: all(create({ ...free, perMember: { times: 1, period: 'ever' } }), claimed),
      ask: claim,
      extra: { offerId: 'hat', memberId: '1', limit: 1, nextAt: null },
    },
    {
      // Closed before the next day.
      given: create({ ...free, perMember: { times: 1, period: 'week' }, closesAt: FUTURE }),
      ask: (realm) => claim(realm, { quantity: 2 }),
      extra: { limit: 1, nextAt: null },
    },
  ],
  'offer-requirement': [
    {
      given: create({ ...free, requires: { minimumBalance: { points: 101 } } }),
      ask: claim,
      extra: { memberId: '1', requirement: { minimumBalance: { points: 101 } } },
    },
  ],
  'price-changed': [
    {
      given: create({ costs: { points: 5 } }),
      ask: (realm) => claim(realm, { expectedCosts: { points: 4 } }),
      extra: { offerId: 'hat', costs: { points: 5 } },
    },
    {
      given: create({ costs: { points: 5 } }),
      ask: (realm) => claim(realm, { expectedCosts: {} }),
    },
  ],
  'offer-open': [
    { given: create(free), ask: draw, extra: { offerId: 'hat', offerStatus: 'open' } },
    {
      given: create({ ...free, opensAt: FUTURE }),
      ask: draw,
      extra: {
        opensAt: FUTURE,
        offerStatus: 'upcoming',
        detail: `Offer "hat" only opens at ${FUTURE}. Draw it when it has closed.`,
      },
    },
    { given: create({ ...free, stock: 0 }), ask: draw, extra: { offerStatus: 'soldOut' } },
  ],
  'offer-drawn': [
    {
      given: all(create({ ...free, closesAt: PAST }), draw),
      ask: draw,
      extra: { offerId: 'hat' },
    },
    { given: all(create({ ...free, closesAt: PAST }), draw), ask: claim },
  ],
  'claim-not-found': [
    { ask: (realm) => realm.send('GET', '/claims/3'), extra: { claimId: 3 } },
    { ask: (realm) => realm.send('POST', '/claims/3/deliver') },
    { ask: (realm) => realm.send('POST', '/claims/3/reject') },
  ],
  'claim-closed': [
    {
      given: all(create({ gives: { points: 1 } }), claimed),
      ask: (realm) => realm.send('POST', `/claims/${claimId}/reject`),
      extra: () => ({ claimId, claimStatus: 'done' }),
    },
  ],
};

testRefusals(service, refusals);
