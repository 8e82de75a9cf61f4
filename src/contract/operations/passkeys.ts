import type { Passkey as StoredPasskey } from '../../domain/person.ts';
import { iso, isoOrNull } from '../instants.ts';
import { created, defineFor, NO_CONTENT } from '../operation.ts';
import { listAnswer } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Sessions');

/** Of a call that only a session can make. */
const problems = ['session-ended', 'console-header-missing'] as const;

const MAX_ID = 1_400;

/** What a browser returns, in base64url. */
export const encoded = (maxLength: number, description: string, example: string) =>
  Type.String({
    pattern: `^[0-9A-Za-z_-]{1,${maxLength}}$`,
    description: `${description}, in base64url.`,
    examples: [example],
    fault: `must be base64url of at most ${maxLength} characters`,
  });

export const PasskeyId = encoded(MAX_ID, 'The id of the passkey', 'hQ8wN2bXv3kTz1');

export const userAgentWhen = (what: string) =>
  s.nullable(
    s.text(
      `What the browser said of itself when ${what}.`,
      'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
    ),
  );

const Passkey = named('Passkey', {
  id: s.text('The id that the authenticator gave it.', 'hQ8wN2bXv3kTz1'),
  userAgent: userAgentWhen('the passkey was added'),
  createdAt: s.Instant,
  lastUsedAt: s.InstantOrNull,
});

export const passkeyBody = ({ id, userAgent, createdAt, lastUsedAt }: StoredPasskey) => ({
  id,
  userAgent,
  createdAt: iso(createdAt),
  lastUsedAt: isoOrNull(lastUsedAt),
});

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
