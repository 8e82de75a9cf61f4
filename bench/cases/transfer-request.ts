import { REALM } from '../community.ts';
import type { RequestTemplate } from '../load.ts';
import type { Ready } from '../servers/announce.ts';
import { bearer, pathOf } from './case.ts';

export const transferRequest = (server: Ready): RequestTemplate => ({
  method: 'PATCH',
  path: pathOf(REALM, 'members/<member>/transfer'),
  headers: {
    ...bearer(server),
    'content-type': 'application/json',
    'idempotency-key': '<key>',
  },
  body: '{"recipientId":"<other>","tokens":1}',
});
