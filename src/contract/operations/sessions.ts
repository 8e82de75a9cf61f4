import type { Passkey as StoredPasskey } from '../../domain/person.ts';
import { withInstants } from '../instants.ts';
import { created, defineFor, NO_CONTENT, ok } from '../operation.ts';
import { listAnswer } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';
import { PersonId, SomePerson } from './people.ts';

const define = defineFor('Sessions');

/** The problems of a call that a cookie may sign. */
const problems = ['session-ended', 'console-header-missing'] as const;

const MAX_ID = 1_400;

/** What a browser returns, in base64url. */
const encoded = (maxLength: number, description: string, example: string) =>
  Type.String({
    pattern: `^[0-9A-Za-z_-]{1,${maxLength}}$`,
    description: `${description}, in base64url.`,
    examples: [example],
    fault: `must be base64url of at most ${maxLength} characters`,
  });

export const PasskeyId = encoded(MAX_ID, 'The id of the passkey', 'hQ8wN2bXv3kTz1');

const userAgentWhen = (what: string) =>
  s.nullable(
    s.text(
      `What the browser said of itself when ${what}.`,
      'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
    ),
  );

const SessionId = s.text('The public id of the session.', 'Vb81PzQw2mk3');

const CurrentSession = named('CurrentSession', {
  id: {
    ...s.nullable(SessionId),
    description: 'The id of the session; null if the call has a key of its own.',
  },
  isRoot: s.flag('Whether it may do everything in every realm.'),
  person: s.nullable({
    ...named('CurrentPerson', SomePerson),
    description: 'Who is signed in; null if a key is.',
  }),
  realmId: s.nullable(s.text('The realm of the key or person; null for root and owners.', 'acme')),
  scopes: Type.Array(s.choiceOf(['read', 'write', 'admin']), {
    description: 'What it may do, with the scopes that others imply.',
    examples: [['read', 'write', 'admin']],
  }),
  keyId: s.nullable(s.text('The id of the key; null for root and people.', 'k3Jx81PzQw2m')),
  keyName: s.nullable(s.text('The name of the key; null for root and people.', 'reader')),
  expiresAt: s.nullable(s.Instant),
});

const Session = named('Session', {
  id: SessionId,
  isCurrent: s.flag('Whether this call belongs to it.', true),
  createdAt: s.Instant,
  lastUsedAt: s.Instant,
  expiresAt: s.Instant,
  userAgent: userAgentWhen('it signed in'),
});

export const createSession = define({
  summary: 'Sign in',
  description:
    'Exchanges a key, the `code` of a one-time link or invitation, or the `assertion` of a ' +
    'passkey for a session of the console. The answer ' +
    'sets an `HttpOnly` cookie, which signs later calls that have no `Authorization` header. ' +
    'Such a call needs the header `x-realmkeep-console: 1`; another site cannot send it. A ' +
    'session ends when its key is revoked or expires, or its person removed, 12 hours after its ' +
    'last call, and 7 days ' +
    'after the sign-in. A call that nobody has asked for has `x-realmkeep-console: unattended` ' +
    'and does not count. A key has at most 100 sessions: a further one ends the oldest.',
  body: Type.Object({
    code: Type.Optional(
      Type.String({
        pattern: '^[!-~]{1,256}$',
        description: 'The code of a one-time link, in place of a key.',
        examples: ['rk_Vb81PzQw2mk3_EXAMPLEexampleEXAMPLEexampleEX00aaaaaa'],
        fault: 'must be the code of a one-time link',
      }),
    ),
    assertion: Type.Optional(
      Type.Object(
        {
          id: PasskeyId,
          clientDataJSON: encoded(2_000, 'As the browser returned it', 'eyJ0eXBlIjoid2ViYXV0'),
          authenticatorData: encoded(2_000, 'As the browser returned it', 'SZYN5YgOjGh0NBcPZHZg'),
          signature: encoded(1_400, 'As the browser returned it', 'MEUCIQDz0mTdKk4w'),
        },
        { description: 'What a passkey signed, in place of a key: see `createChallenge`.' },
      ),
    ),
  }),
  example: {},
  bodyOptional: true,
  answer: created(CurrentSession),
  problems: ['code-not-valid', 'passkey-not-valid'],
  keyOptional: true,
});

export const getCurrentSession = define({
  summary: 'Read the current session',
  description: 'Who is calling: the session, its key, and what the key may do.',
  answer: ok(CurrentSession),
  problems,
});

export const listSessions = define({
  summary: 'List sessions',
  description:
    'The sessions of the calling key or person, newest first, or those of a person of the realm. ' +
    'All of them are on one page.',
  query: Type.Object({
    personId: Type.Optional({
      ...PersonId,
      description: 'Whose sessions. An admin may ask for any person of the realm.',
    }),
  }),
  answer: listAnswer(Session),
  problems: [...problems, 'person-not-found'],
});

export const endSession = define({
  summary: 'End a session',
  description:
    'Ends a session of the calling key or person, within 2 seconds on every node. To end the ' +
    'current one is to sign out. An admin can end those of the people of the realm, and root any.',
  answer: NO_CONTENT,
  problems,
});

const Passkey = named('Passkey', {
  id: s.text('The id that the authenticator gave it.', 'hQ8wN2bXv3kTz1'),
  userAgent: userAgentWhen('the passkey was added'),
  createdAt: s.Instant,
  lastUsedAt: s.InstantOrNull,
});

export const passkeyBody = ({ id, userAgent, createdAt, lastUsedAt }: StoredPasskey) =>
  withInstants({ id, userAgent, createdAt, lastUsedAt });

export const createChallenge = define({
  summary: 'Get a challenge for a passkey',
  description:
    'A challenge for `navigator.credentials`, to sign in or to add a passkey: good for one ' +
    'answer, within 5 minutes. Passkeys belong to the host of `PUBLIC_URL`, so they are offered ' +
    'only on a page of `origin`.',
  answer: created(
    named('PasskeyChallenge', {
      challenge: s.text('In base64url.', 'AZqHs0bAZx5n2kQy8mPtWw3f'),
      rpId: s.text('The host that passkeys belong to.', 'points.example.com'),
      origin: s.text('Where the page has to be.', 'https://points.example.com'),
      expiresAt: s.Instant,
    }),
  ),
  keyOptional: true,
});

export const createPasskey = define({
  summary: 'Add a passkey',
  description:
    'Adds a passkey of the person who is signed in: ES256, EdDSA or RS256, without attestation. ' +
    'A person has at most 20.',
  body: Type.Object({
    clientDataJSON: encoded(4_000, 'As the browser returned it', 'eyJ0eXBlIjoid2ViYXV0aG4u'),
    attestationObject: encoded(16_000, 'As the browser returned it', 'o2NmbXRkbm9uZWdhdHRTdG10'),
  }),
  example: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4u',
    attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10',
  },
  answer: created(Passkey, { lastUsedAt: null }),
  problems: [...problems, 'limit-reached'],
  ofPeople: true,
});

export const listPasskeys = define({
  summary: 'List passkeys',
  description: 'Those of the person who is signed in, oldest first. All of them are on one page.',
  answer: listAnswer(Passkey),
  problems,
  ofPeople: true,
});

export const removePasskey = define({
  summary: 'Remove a passkey',
  description: 'Removes a passkey of the person who is signed in, unless it is the last one.',
  answer: NO_CONTENT,
  problems: [...problems, 'last-passkey'],
  ofPeople: true,
});
