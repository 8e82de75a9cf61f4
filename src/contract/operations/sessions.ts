import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Sessions');

const SCOPES = ['read', 'write', 'admin'] as const;

const SessionId = Type.String({ description: 'The public id of the session.' });

/** What the console has to know of itself. */
export const CurrentSession = Type.Object(
  {
    id: Type.Unsafe<string | null>({
      ...s.nullable(SessionId),
      description: 'The id of the session; null if the call has a key of its own.',
    }),
    isRoot: Type.Boolean({ description: 'Whether it may do everything in every realm.' }),
    realmId: s.nullable(Type.String({ description: 'The realm of the key; null for root.' })),
    scopes: Type.Array(s.choiceOf(SCOPES), {
      description: 'What it may do, with the scopes that others imply.',
    }),
    keyId: s.nullable(Type.String({ description: 'The id of the key; null for root.' })),
    keyName: s.nullable(Type.String({ description: 'The name of the key; null for root.' })),
    expiresAt: s.nullable(s.Instant),
  },
  { title: 'CurrentSession' },
);

const Session = Type.Object(
  {
    id: SessionId,
    isCurrent: Type.Boolean({ description: 'Whether this call belongs to it.' }),
    createdAt: s.Instant,
    lastUsedAt: s.Instant,
    expiresAt: s.Instant,
    userAgent: s.nullable(
      Type.String({ description: 'What the browser said of itself when it signed in.' }),
    ),
  },
  { title: 'Session' },
);

const current = {
  id: 'Vb81PzQw2mk3',
  isRoot: false,
  realmId: 'acme',
  scopes: [...SCOPES],
  keyId: 'k3Jx81PzQw2m',
  keyName: 'community manager',
  expiresAt: '2026-11-21T09:30:00.000Z',
};

export const createSession = define({
  summary: 'Sign in',
  description:
    'Exchanges a key, or the `code` of a one-time link, for a session of the console. The answer ' +
    'sets an `HttpOnly` cookie, which signs later calls that have no `Authorization` header. ' +
    'Such a call needs the header `x-realmkeep-console: 1`; another site cannot send it. A ' +
    'session ends when its key is revoked or expires, 12 hours after its last call, and 7 days ' +
    'after the sign-in. A call that nobody has asked for has `x-realmkeep-console: unattended` ' +
    'and does not count. A key has at most 100 sessions: a further one ends the oldest.',
  body: {
    optional: true,
    schema: Type.Object({
      code: Type.Optional(
        Type.String({
          pattern: '^[!-~]{1,256}$',
          description: 'The code of a one-time link, in place of a key.',
          examples: ['rk_Vb81PzQw2mk3_EXAMPLEexampleEXAMPLEexampleEX00aaaaaa'],
          fault: 'must be the code of a one-time link',
        }),
      ),
    }),
    example: {},
  },
  answer: s.created(CurrentSession, current),
  problems: ['code-not-valid'],
  keyOptional: true,
});

export const getCurrentSession = define({
  summary: 'Read the current session',
  description: 'Who is calling: the session, its key, and what the key may do.',
  answer: s.ok(CurrentSession, current),
  problems: ['session-ended', 'console-header-missing'],
});

export const listSessions = define({
  summary: 'List sessions',
  description: 'The sessions of the calling key, newest first. All of them are on one page.',
  answer: s.listAnswer(Session, {
    id: 'Vb81PzQw2mk3',
    isCurrent: true,
    createdAt: '2026-11-14T09:30:00.000Z',
    lastUsedAt: '2026-11-14T10:00:00.000Z',
    expiresAt: '2026-11-21T09:30:00.000Z',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
  }),
  problems: ['session-ended', 'console-header-missing'],
});

export const endSession = define({
  summary: 'End a session',
  description:
    'Ends a session of the calling key, within 2 seconds on every node. To end the current one ' +
    'is to sign out. The root key can end any session.',
  answer: s.NO_CONTENT,
  problems: ['session-ended', 'console-header-missing', 'session-not-found'],
});
