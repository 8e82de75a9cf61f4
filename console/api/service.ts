import { type CallOptions, call } from './call.ts';
import type * as t from './types.ts';

/** What the console asks of the service, beyond one realm. */
export const currentSession = (): Promise<t.CurrentSession> => call('GET', '/sessions/current');

export const listSessions = (): Promise<t.Page<t.Session>> => call('GET', '/sessions');

export const openSession = (by: { key: string } | { code: string }): Promise<t.CurrentSession> =>
  'key' in by
    ? call('POST', '/sessions', { key: by.key })
    : call('POST', '/sessions', { body: by });

export const endSession = (id: string): Promise<unknown> => call('DELETE', `/sessions/${id}`);

export const listRealms = (query: { cursor?: string }): Promise<t.Page<t.Realm>> =>
  call('GET', '/realms', { query });

export const createRealm = (
  body: { id: string; name: string },
  options: CallOptions,
): Promise<t.Realm> => call('POST', '/realms', { ...options, body });
