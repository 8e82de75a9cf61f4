import { REALM } from '../community.ts';
import { million, sampleOf } from '../readings.ts';
import { type Case, reading } from './case.ts';

export const getMember: Case = {
  name: 'GET member',
  server: 'realmkeep',
  // As the empty route: what serves two kinds of requests is compiled for both.
  isApart: true,
  connections: [64],
  targets: { 64: 0.85 },
  request: (server) => reading(server, REALM, 'members/<member>'),
};

/** What the other calls in the large realm are held against. */
export const getMemberOfMillion: Case = {
  name: 'GET member, 1,000,000 members',
  server: 'readings',
  contest: 'large realms',
  connections: [64],
  members: sampleOf(million),
  request: (server) => reading(server, million.realmId, 'members/<member>'),
};
