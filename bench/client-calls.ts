import { Realmkeep } from '@realmkeep/client';
import { answerLines } from './answering.ts';
import { bearer, pathOf } from './cases/case.ts';
import { memberIds, REALM } from './community.ts';
import type { Ready } from './servers/announce.ts';

/**
 * Reads members one after another, through the client or by bare `fetch`, in a process whose
 * processor time is the callers' alone. Each line of its input is a measurement to make.
 */
export interface CallsRequest {
  server: Ready;
  by: 'client' | 'fetch';
  calls: number;
}

/** Microseconds of processor time for one call. */
export interface CallsResult {
  processorTime: number;
}

type Get = (memberId: string) => Promise<{ id: string }>;

/** What people write who have no client: no deadline, no retries, no check of the status. */
function byFetch(server: Ready): Get {
  const url = `${server.url}${pathOf(REALM, 'members/')}`;
  const headers = bearer(server);
  return async (memberId) => (await (await fetch(url + memberId, { headers })).json()) as never;
}

function byClient({ url, keys }: Ready): Get {
  const realm = new Realmkeep({ url, key: keys[REALM] }).realm(REALM);
  return (memberId) => realm.member(memberId).get();
}

if (import.meta.main) {
  answerLines('ready', (line) => measure(JSON.parse(line) as CallsRequest));
}

async function measure({ server, by, calls }: CallsRequest): Promise<CallsResult> {
  const get = by === 'client' ? byClient(server) : byFetch(server);
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) {
    const memberId = memberIds[call % memberIds.length] as string;
    const { id } = await get(memberId);
    if (id !== memberId) throw new Error(`asked for ${memberId}, and got ${id}`);
  }
  const { user, system } = process.cpuUsage(before);
  return { processorTime: (user + system) / calls };
}
