import type { NewKey } from '../commands.ts';
import type { Session } from '../model.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

/** A session ends this long after its last call, and this long after the sign-in. */
const SESSION_IDLE_MS = 12 * HOUR_MS;
const SESSION_MS = 7 * DAY_MS;
const CODE_MS = 10 * 60_000;
const INVITATION_MS = 7 * DAY_MS;
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

type CodeFor = Pick<SignIn, 'newKey' | 'keyId' | 'now'>;

export const codeUntil = (expiresAt: number, code: CodeFor): Session => ({
  ...newSession({ ...code, keyExpiresAt: expiresAt, userAgent: null }),
  isCode: true,
  expiresAt,
});

export const newCode = (code: CodeFor): Session => codeUntil(code.now + CODE_MS, code);

/** Signs a person in once, who may read it days later. */
export const invitation = (code: CodeFor): Session => codeUntil(code.now + INVITATION_MS, code);

/** Stands for a challenge that was answered, until it would have expired. */
export const answered = (id: string, expiresAt: number): Session =>
  codeUntil(expiresAt, { newKey: { id, secretHash: '' }, keyId: id, now: 0 });

export const isOver = ({ isCode, expiresAt, lastUsedAt }: Session, now: number): boolean =>
  now >= expiresAt || (!isCode && now >= lastUsedAt + SESSION_IDLE_MS);
