import type { Session } from '../domain/model.ts';
import type { Passkey, Person } from '../domain/person.ts';
import { boolean, globalTable, integer, nullable, text } from './table.ts';

/** The tables of no realm. On a cluster every server has all of them. */
export const service = globalTable<{ name: string; value: string }>('service', ['name'], {
  name: text('name'),
  value: text('value'),
});

export const sessions = globalTable<Session>('sessions', ['session_id'], {
  id: text('session_id'),
  keyId: text('key_id'),
  isCode: boolean('is_code'),
  secretHash: text('secret_hash'),
  createdAt: integer('created_at'),
  lastUsedAt: integer('last_used_at'),
  expiresAt: integer('expires_at'),
  userAgent: nullable(text('user_agent')),
});

/** People of the whole service. */
export const owners = globalTable<Omit<Person, 'role'>>('owners', ['person_id'], {
  id: text('person_id'),
  name: nullable(text('name')),
  createdAt: integer('created_at'),
  lastSeenAt: nullable(integer('last_seen_at')),
  removedAt: nullable(integer('removed_at')),
});

export const passkeys = globalTable<Passkey>('passkeys', ['passkey_id'], {
  id: text('passkey_id'),
  personId: text('person_id'),
  publicKey: text('public_key'),
  counter: integer('counter'),
  userAgent: nullable(text('user_agent')),
  createdAt: integer('created_at'),
  lastUsedAt: nullable(integer('last_used_at')),
});
