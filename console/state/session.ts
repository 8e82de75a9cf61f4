import { signal } from '@preact/signals';
import { type CurrentSession, isProblem } from '@realmkeep/client';
import { service, serviceWith } from '../api/service.ts';
import { forgetAnswers } from './answers.ts';
import { checks } from './checks.ts';
import { forgetNames } from './names.ts';

/** Who is signed in. `undefined` until the service has said so; null if nobody is. */
export const session = signal<CurrentSession | null | undefined>(undefined);

/** Whether the service would allow it: what it would refuse is not shown. */
export const may = (scope: CurrentSession['scopes'][number]): boolean =>
  session.value?.scopes.includes(scope) ?? false;

/** Why the one-time link that the console was opened with did not sign in. */
export const linkProblem = signal<Error | undefined>(undefined);

/** With `/#code=…` it signs in; the code stays neither in the address nor in the history. */
export async function start(): Promise<void> {
  const [, code] = /^#code=(.+)$/.exec(location.hash) ?? [];
  if (code) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      return await signIn({ code: decodeURIComponent(code) });
    } catch (error) {
      linkProblem.value = error as Error;
    }
  }
  await findSession();
}

/** Says that there may be a session; the cookie itself cannot be seen from here. */
const SIGNED_IN = 'realmkeep-signed-in';

async function findSession(): Promise<void> {
  if (localStorage.getItem(SIGNED_IN) === null) {
    session.value = null;
    return;
  }
  try {
    session.value = await service.currentSession();
  } catch (error) {
    if (!isProblem(error)) throw error;
    session.value = null;
  }
}

export async function signIn(by: { key: string } | { code: string }): Promise<void> {
  session.value = await ('key' in by
    ? serviceWith(by.key).createSession()
    : service.createSession(by));
  localStorage.setItem(SIGNED_IN, 'yes');
}

export async function signOut(): Promise<void> {
  const id = session.value?.id;
  if (id) await service.endSession(id);
  forgetSession();
}

/** Nothing of a session that is over stays in the browser. */
export function forgetSession(): void {
  localStorage.removeItem(SIGNED_IN);
  forgetAnswers();
  forgetNames();
  checks.value = {};
  session.value = null;
}
