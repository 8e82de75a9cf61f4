import { REALM } from '../community.ts';
import { bearer, type Case } from './case.ts';

export const getMember: Case = {
  name: 'GET member',
  server: 'realmkeep',
  connections: [64],
  targets: { 64: 0.85 },
  request: ({ key }) => ({
    method: 'GET',
    path: `/api/v4/realms/${REALM}/members/<member>`,
    headers: bearer(key),
    body: '',
  }),
};
