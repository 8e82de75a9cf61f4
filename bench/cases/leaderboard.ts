import { million } from '../readings.ts';
import { type Case, reading } from './case.ts';
import { getMemberOfMillion } from './get-member.ts';

/** The first page, of the default length. */
export const leaderboard: Case = {
  name: 'leaderboard page, 1,000,000 members',
  server: 'readings',
  contest: 'large realms',
  connections: [64],
  costs: { timesOf: getMemberOfMillion, atMost: 5 },
  request: (server) => reading(server, million.realmId, 'leaderboard'),
};
