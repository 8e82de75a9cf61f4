import { signal } from '@preact/signals';
import { Realmkeep } from '@realmkeep/client';
import { noteDate, serviceNow } from './clock.ts';
import { isIdle } from './idle.ts';

/** False while the service cannot be reached. */
export const isReachable = signal(true);
/** When the service last answered. */
export const answeredAt = signal(Date.now());
/** Counts the calls that were refused because the session has ended. */
export const endings = signal(0);

/** Counts the sessions of this page: a call belongs to the one that it was made in. */
let sessions = 0;

/** The service that the console came from. The browser signs calls with its cookie. */
export let service = serviceBy(watchedFetch);

/** Once a session is over, nobody hears the answers to its calls, and none is sent again. */
export function renewService(): void {
  sessions += 1;
  service = serviceBy(watchedFetch);
}

/** The same with another way of sending, which has to watch as well. */
export function serviceBy(send: typeof watchedFetch): Realmkeep {
  return new Realmkeep({ url: '', retries: 2, fetch: inSession(send) });
}

/** Sends as long as the session goes on. What comes later would be shown to the next one. */
export function inSession(send: typeof watchedFetch): typeof watchedFetch {
  const session = sessions;
  const isOver = (): boolean => session !== sessions;
  return async (url, init) => {
    if (isOver()) return noAnswer();
    try {
      const response = await send(url, init);
      if (!isOver() && isEnding(response) && !isSignIn(url, init)) endings.value += 1;
      return response;
    } finally {
      if (isOver()) await noAnswer();
    }
  };
}

const noAnswer = (): Promise<never> => new Promise(() => {});

/** For the one call that is signed by a key: it exchanges the key for a session. */
export const serviceWith = (key: string): Realmkeep => new Realmkeep({ url: '', key, retries: 2 });

/** Sends, and notes whether the service can be reached. */
export async function watchedFetch(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  // Another site cannot send this header, so it cannot make calls in the reader's name.
  headers.set('x-realmkeep-console', isIdle() ? 'unattended' : '1');
  const sentAt = Date.now();
  try {
    const response = await fetch(url, { ...init, headers });
    isReachable.value = !isFromProxy(response);
    if (isReachable.value) {
      noteDate(response, sentAt);
      answeredAt.value = serviceNow();
    }
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
