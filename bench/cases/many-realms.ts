import { fewMembers, manyRealms } from '../realms.ts';
import type { Ready } from '../servers/announce.ts';
import { type Case, pathOf } from './case.ts';
import { transfer } from './transfer.ts';
import { transferRequest } from './transfer-request.ts';

/** The same transfers spread over a thousand realms, under the root key. */
export const transferOverRealms: Case = {
  name: 'durable transfer, 1,000 realms',
  server: 'realms',
  connections: [64],
  members: fewMembers,
  realms: manyRealms,
  reaches: [{ timesOf: transfer, atLeast: { 64: 0.7 } }],
  request: spreadRequest,
};

export function spreadRequest(server: Ready) {
  const one = transferRequest(server);
  return { ...one, path: `${pathOf('<realm>', 'members')}/<member>/transfer` };
}
