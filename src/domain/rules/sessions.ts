import type { NewKey } from '../commands.ts';
import type { Session } from '../model.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/** A session ends this long after its last call, and this long after the sign-in. */
const SESSION_IDLE_MS = 12 * HOUR_MS;
const SESSION_MS = 7 * DAY_MS;
const CODE_MS = 10 * 60_000;
const MAX_USER_AGENT = 256;

interface SignIn {
  newKey: NewKey;
  keyId: string;
  keyExpiresAt: number | null;
  userAgent: string | null;
  now: number;
}

export const newSession = ({ newKey, keyId, keyExpiresAt, userAgent, now }: SignIn): Session => ({
  ...newKey,
  keyId,
  isCode: false,
  createdAt: now,
  lastUsedAt: now,
  expiresAt: Math.min(now + SESSION_MS, keyExpiresAt ?? Number.POSITIVE_INFINITY),
  userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
});

export const newCode = ({ newKey, keyId, now }: Pick<SignIn, 'newKey' | 'keyId' | 'now'>) => ({
  ...newSession({ newKey, keyId, keyExpiresAt: now + CODE_MS, userAgent: null, now }),
  isCode: true,
});

export const isOver = ({ expiresAt, lastUsedAt }: Session, now: number): boolean =>
  now >= expiresAt || now >= lastUsedAt + SESSION_IDLE_MS;
