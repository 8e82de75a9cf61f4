import { OFFER, REALM } from '../community.ts';
import { bearer, type Case, pathOf } from './case.ts';
import { transfer } from './transfer.ts';

/** A reward that each member may claim often enough: stock, count, points and one record. */
export const claim: Case = {
  name: 'claim of an offer',
  server: 'realmkeep',
  // It makes points, and those of the transfers are counted.
  isApart: true,
  connections: [64],
  // A claim may cost 1.5 times a transfer.
  reaches: [{ timesOf: transfer, atLeast: { 64: 0.67 } }],
  request: (server) => ({
    method: 'POST',
    path: pathOf(REALM, `offers/${OFFER}/claims`),
    headers: {
      ...bearer(server),
      'content-type': 'application/json',
      'idempotency-key': '<key>',
    },
    body: '{"memberId":"<member>"}',
  }),
};
