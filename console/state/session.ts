import { signal } from '@preact/signals';
import type { CurrentSession, Sent } from '@realmkeep/client';
import { isRefused, sentenceOf } from '../api/faults.ts';
import { renewService, service, serviceWith } from '../api/service.ts';
import { forgetAnswers } from './answers.ts';
import { forgetAttention } from './attention.ts';
import { checks } from './checks.ts';
import { forgetKinds } from './chosen-kinds.ts';
import { forgetHistory } from './history.ts';
import { forgetImports } from './imports.ts';
import { forgetEvents } from './live.ts';
import { forgetNames } from './names.ts';
import { forgetOffers } from './offers.ts';
import { pause } from './pause.ts';
import { archiving, deleting } from './realm-end.ts';
import { forgetToasts, toast } from './toasts.ts';
import { unsaved } from './unsaved.ts';

/** Who is signed in. `undefined` until the service has said so; null if nobody is. */
export const session = signal<CurrentSession | null | undefined>(undefined);

/** Whether the service would allow it: what it would refuse is not shown. */
export const may = (scope: CurrentSession['scopes'][number]): boolean =>
  session.value?.scopes.includes(scope) ?? false;

/** Why the one-time link that the console was opened with did not sign in. */
export const linkProblem = signal<Error | undefined>(undefined);

/** The code of an invitation, until it is accepted: whoever only looks at the link uses nothing. */
export const invitation = signal<string | null>(null);

/** Whether the last session was not ended here, but elsewhere or by itself. */
export const hasEnded = signal(false);

/** Why the service has not said yet who is signed in. */
export const startProblem = signal<Error | undefined>(undefined);

const TRY_EVERY_MS = 2_000;
/** Shorter than usual: somebody waits for it and can do nothing else. */
const ANSWER_MS = 10_000;

/** With `#code=…` it signs in, unless it is an invitation; the code stays not in the address. */
export async function start(): Promise<void> {
  addEventListener('storage', onOtherTab);
  const [, code] = /^#code=(.+)$/.exec(location.hash) ?? [];
  if (code) {
    history.replaceState(null, '', location.pathname + location.search);
    try {
      if (location.pathname === '/join') invitation.value = decodeURIComponent(code);
      else return await signIn({ code: decodeURIComponent(code) });
    } catch (error) {
      linkProblem.value = error as Error;
    }
  }
  await findSession();
}

/** The id of the session that there may be; the cookie itself cannot be seen from here. */
const SIGNED_IN = 'realmkeep-signed-in';
/** Stands there for a moment when somebody signs out, so that other tabs know it from an end. */
const SIGNED_OUT = 'signed-out';

/** Tabs share the cookie: who signs in or out in one of them does so in all. */
function onOtherTab({ key, oldValue, newValue }: StorageEvent): void {
  if (key !== SIGNED_IN) return;
  hasEnded.value = newValue === null && oldValue !== SIGNED_OUT;
  if (newValue === (session.value?.id ?? null)) return;
  forgetAll();
  session.value = newValue === null || newValue === SIGNED_OUT ? null : undefined;
  void findSession();
}

/** A service that is away has not said that nobody is signed in: it is asked until it answers. */
async function findSession(): Promise<void> {
  startProblem.value = undefined;
  if (localStorage.getItem(SIGNED_IN) === null) session.value = null;
  while (session.value === undefined) {
    try {
      enter(await service.currentSession({ timeoutMs: ANSWER_MS }));
    } catch (error) {
      if (isRefused(error)) {
        session.value = null;
      } else {
        startProblem.value = error as Error;
        await pause(TRY_EVERY_MS);
      }
    }
  }
}

export async function signIn(
  by: { key: string } | Pick<Sent<'createSession'>, 'code' | 'assertion'>,
): Promise<void> {
  const entered = await ('key' in by
    ? serviceWith(by.key).createSession()
    : service.createSession(by));
  // Nothing of who was signed in before stays.
  if (session.value) forgetAll();
  enter(entered);
  hasEnded.value = false;
  invitation.value = null;
}

/** Who is signed in, in words. */
export const sessionName = (): string =>
  session.value?.person?.name ?? session.value?.keyName ?? 'Root key';

function enter(current: CurrentSession): void {
  session.value = current;
  localStorage.setItem(SIGNED_IN, current.id ?? '');
}

/** The service has refused a call because the session is over. */
export function loseSession(): void {
  hasEnded.value ||= localStorage.getItem(SIGNED_IN) !== null;
  forgetSession();
}

/** The cookie cannot be deleted from here: who is not signed out by the service has to know. */
export async function signOut(): Promise<void> {
  try {
    // That of the cookie, which may have been replaced since it was read.
    const { id } = await service.currentSession({ timeoutMs: ANSWER_MS });
    if (id) await service.endSession(id, { timeoutMs: ANSWER_MS });
  } catch (error) {
    // Refused: it has ended before.
    if (!isRefused(error)) {
      toast({ text: `You are still signed in. ${sentenceOf(error as Error)}`, isProblem: true });
      return;
    }
  }
  localStorage.setItem(SIGNED_IN, SIGNED_OUT);
  forgetSession();
  hasEnded.value = false;
}

/** Nothing of a session that is over stays in the browser. */
function forgetSession(): void {
  localStorage.removeItem(SIGNED_IN);
  forgetAll();
  session.value = null;
}

function forgetAll(): void {
  // Otherwise the only calls are those that find out who is signed in.
  if (session.value) renewService();
  forgetAnswers();
  forgetEvents();
  forgetHistory();
  forgetKinds();
  forgetAttention();
  forgetNames();
  forgetOffers();
  forgetToasts();
  forgetImports();
  checks.value = {};
  unsaved.value = {};
  deleting.value = null;
  archiving.value = null;
}
