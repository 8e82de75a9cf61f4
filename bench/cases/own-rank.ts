import { million, sampleOf, tenThousand } from '../readings.ts';
import { type Case, reading } from './case.ts';

export const ownRank: Case = {
  name: 'own rank, 10,000 members',
  server: 'readings',
  contest: 'large realms',
  connections: [64],
  members: sampleOf(tenThousand),
  request: (server) => reading(server, tenThousand.realmId, 'leaderboard/<member>'),
};

export const ownRankOfMillion: Case = {
  ...ownRank,
  name: 'own rank, 1,000,000 members',
  members: sampleOf(million),
  costs: { timesOf: ownRank, atMost: 3 },
  request: (server) => reading(server, million.realmId, 'leaderboard/<member>'),
};
