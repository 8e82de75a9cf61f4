import { REALM } from '../community.ts';
import { million, sampleOf } from '../readings.ts';
import { plainRoute } from './baselines.ts';
import { type Case, reading } from './case.ts';

export const getMember: Case = {
  name: 'GET member',
  server: 'realmkeep',
  // Like the empty route: a process that serves two kinds of requests is optimised for both.
  isApart: true,
  connections: [64],
  targets: { 64: 0.85 },
  reaches: [{ timesOf: plainRoute, atLeast: { 64: 0.72 } }],
  request: (server) => reading(server, REALM, 'members/<member>'),
};

/** The baseline of the other calls in the large realm. */
export const getMemberOfMillion: Case = {
  name: 'GET member, 1,000,000 members',
  server: 'readings',
  contest: 'large realms',
  connections: [64],
  members: sampleOf(million),
  request: (server) => reading(server, million.realmId, 'members/<member>'),
};
