import { statements } from '../readings.ts';
import { type Case, reading } from './case.ts';

/** The first page, of the default length, of members with a few hundred movements. */
export const statement: Case = {
  name: 'statement page',
  server: 'readings',
  contest: 'large realms',
  connections: [64],
  members: statements.members,
  request: (server) => reading(server, statements.realmId, 'members/<member>/transactions'),
};
