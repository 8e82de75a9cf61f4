import { signal } from '@preact/signals';
import { Realmkeep } from '@realmkeep/client';
import { isAttended } from './attendance.ts';
import { noteDate, serviceNow } from './clock.ts';

/** False while the service cannot be reached. */
export const isReachable = signal(true);
/** When the service last answered. */
export const answeredAt = signal(Date.now());
/** Counts the calls that were refused because the session has ended. */
export const endings = signal(0);

/** The service that the console came from. The browser signs calls with its cookie. */
export const service = serviceBy(watchedFetch);

/** The same with another way of sending, which has to watch as well. */
export function serviceBy(send: typeof watchedFetch): Realmkeep {
  return new Realmkeep({ url: '', retries: 2, fetch: send });
}

/** For the one call that is signed by a key: it exchanges the key for a session. */
export const serviceWith = (key: string): Realmkeep => new Realmkeep({ url: '', key, retries: 2 });

/** Sends, and notes whether the service can be reached. */
export async function watchedFetch(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  // Another site cannot send this header, so it cannot make calls in the reader's name.
  headers.set('x-realmkeep-console', isAttended() ? '1' : 'unattended');
  const sentAt = Date.now();
  try {
    const response = await fetch(url, { ...init, headers });
    isReachable.value = !isFromProxy(response);
    if (isReachable.value) {
      noteDate(response, sentAt);
      answeredAt.value = serviceNow();
    }
    // A code that is refused ends no session.
    if (isEnding(response) && !isSignIn(url, init)) endings.value += 1;
    return response;
  } catch (error) {
    if (!init.signal?.aborted) isReachable.value = false;
    throw error;
  }
}

/** Every answer of the service has this header. */
const isOfService = ({ headers }: Response): boolean => headers.has('x-request-id');

/** A proxy says that the service is away. */
const isFromProxy = (response: Response): boolean =>
  [502, 503, 504].includes(response.status) && !isOfService(response);

const isEnding = (response: Response): boolean => response.status === 401 && isOfService(response);

/** A key or code that is refused ends no session. */
const isSignIn = (url: string, { method }: RequestInit): boolean =>
  method === 'POST' && url.endsWith('/sessions');

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined | ''> };

/** Without the filters that are not set. */
export const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  ) as Given<T>;
