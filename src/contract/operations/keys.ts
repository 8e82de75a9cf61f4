import type { ApiKey } from '../../domain/model.ts';
import { iso, isoOrNull } from '../instants.ts';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Keys');

export const DEFAULT_OVERLAP_SECONDS = 3600;

const Scope = s.choiceOf(['read', 'write', 'admin']);

export const Key = Type.Object(
  {
    id: Type.String({ description: 'The public part of the key.' }),
    name: Type.String(),
    scopes: Type.Array(Scope),
    createdAt: s.Instant,
    expiresAt: s.nullable(s.Instant),
    lastUsedAt: s.nullable(s.Instant),
  },
  { title: 'ApiKey' },
);

export const keyBody = ({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: ApiKey) => ({
  id,
  name,
  scopes,
  createdAt: iso(createdAt),
  expiresAt: isoOrNull(expiresAt),
  lastUsedAt: isoOrNull(lastUsedAt),
});

export const NewKey = Type.Object(
  {
    ...Key.properties,
    key: s.nullable(
      Type.String({
        description: 'The key itself. Shown in this answer only; null in a replayed answer.',
      }),
    ),
  },
  { title: 'NewApiKey' },
);

const example = {
  id: 'k3Jx81PzQw2m',
  name: 'shop bot',
  scopes: ['read' as const, 'write' as const],
  createdAt: '2026-11-14T09:30:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
};
const newExample = {
  ...example,
  key: 'rk_k3Jx81PzQw2m_EXAMPLEexampleEXAMPLEexampleEX00aaaaaa',
};

export const createKey = define({
  summary: 'Issue a key',
  description:
    'Issues an API key for this realm. `read` reads; `write` changes members, wallets and points ' +
    'and implies `read`; `admin` manages keys, settings and kinds of points and implies both. ' +
    'The key is shown once, since only its hash is stored.',
  body: {
    schema: Type.Object({
      name: s.textIn(128, 'What the key is for.'),
      scopes: Type.Array(Scope, {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        fault: 'must be a list of one or more of "read", "write" and "admin", each at most once',
      }),
      expiresAt: Type.Optional(
        Type.Unsafe<string | null>({
          type: ['string', 'null'],
          instant: 'future',
          description: 'When the key expires; never if null or absent.',
          examples: ['2027-01-31T00:00:00.000Z'],
          fault: 'must be an RFC 3339 instant in the future, such as "2027-01-31T00:00:00Z"',
        }),
      ),
    }),
    example: { name: 'shop bot', scopes: ['read', 'write'] },
  },
  answer: s.created(NewKey, newExample),
});

export const listKeys = define({
  summary: 'List keys',
  description: 'The realm’s keys without their secrets. Revoked keys are not listed.',
  query: Type.Object(s.PageQuery),
  answer: s.listAnswer(Key, { ...example, lastUsedAt: '2026-11-14T10:00:00.000Z' }),
});

export const rotateKey = define({
  summary: 'Rotate a key',
  description:
    'Issues a new key with the same name, scopes and expiry. The old one stays valid ' +
    'for `overlapSeconds`, so that a client can switch without interruption.',
  body: {
    optional: true,
    schema: Type.Object({
      overlapSeconds: Type.Optional(
        s.integerIn(
          0,
          2_592_000,
          `How long the old key stays valid. Default ${DEFAULT_OVERLAP_SECONDS}, ` +
            'at most 30 days.',
        ),
      ),
    }),
    example: { overlapSeconds: 3600 },
  },
  answer: s.created(NewKey, newExample),
  problems: ['key-not-found', 'key-expired', 'key-replaced'],
});

export const revokeKey = define({
  summary: 'Revoke a key',
  description: 'Within 2 seconds, every node rejects the key.',
  answer: s.NO_CONTENT,
  inArchived: true,
  problems: ['key-not-found'],
});
