import type { ApiKey } from '../../domain/model.ts';
import { withInstants } from '../instants.ts';
import { created, defineFor, NO_CONTENT } from '../operation.ts';
import { pagesOf } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Keys');

export const DEFAULT_OVERLAP_SECONDS = 3600;

const Scope = s.choiceOf(['read', 'write', 'admin']);
const Name = s.textIn(128, 'What the key is for.', { examples: ['shop bot'] });

const Key = named('ApiKey', {
  id: s.text('The public part of the key.', 'k3Jx81PzQw2m'),
  name: Name,
  scopes: Type.Array(Scope, { examples: [['read', 'write']] }),
  createdAt: s.Instant,
  expiresAt: s.InstantOrNull,
  lastUsedAt: s.InstantOrNull,
});

export const keyBody = ({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: ApiKey) =>
  withInstants({ id, name, scopes, createdAt, expiresAt, lastUsedAt });

const NewKey = named('NewApiKey', {
  ...Key.properties,
  key: s.nullable(
    s.text(
      'The key itself. Shown in this answer only; null in a replayed answer.',
      'rk_k3Jx81PzQw2m_EXAMPLEexampleEXAMPLEexampleEX00aaaaaa',
    ),
  ),
});

export const createKey = define({
  summary: 'Issue a key',
  description:
    'Issues an API key for this realm. `read` reads; `write` changes members, wallets and points ' +
    'and implies `read`; `admin` manages keys, settings and kinds of points and implies both. ' +
    'The key is shown once, since only its hash is stored.',
  body: Type.Object({
    name: Name,
    scopes: Type.Array(Scope, {
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
      fault: 'must be a list of one or more of "read", "write" and "admin", each at most once',
    }),
    expiresAt: Type.Optional(
      s.nullable(
        Type.String({
          instant: 'future',
          description: 'When the key expires; never if null or absent.',
          examples: ['2027-01-31T00:00:00.000Z'],
          fault: 'must be an RFC 3339 instant in the future, such as "2027-01-31T00:00:00Z"',
        }),
      ),
    ),
  }),
  example: { name: 'shop bot', scopes: ['read', 'write'] },
  answer: created(NewKey),
});

export const listKeys = define({
  summary: 'List keys',
  description: 'The realm’s keys without their secrets. Revoked keys are not listed.',
  ...pagesOf(Key),
});

export const rotateKey = define({
  summary: 'Rotate a key',
  description:
    'Issues a new key with the same name, scopes and expiry. The old one stays valid ' +
    'for `overlapSeconds`, so that a client can switch without interruption.',
  body: s.overlapBody('the old key stays valid', DEFAULT_OVERLAP_SECONDS),
  example: { overlapSeconds: 3600 },
  bodyOptional: true,
  answer: created(NewKey),
  problems: ['key-expired', 'key-replaced'],
});

export const revokeKey = define({
  summary: 'Revoke a key',
  description: 'Within 2 seconds, every node rejects the key.',
  answer: NO_CONTENT,
  inArchived: true,
});
