import type { CommandOf } from '../commands.ts';
import type { ApiKey, ApiKeyRow } from '../model.ts';
import { Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { iso } from './time.ts';
import { keyView } from './views.ts';

export function createKey(books: Books, command: CommandOf<'key.create'>): ApiKey {
  const { newKey, name, scopes, expiresAt } = command;
  const row: ApiKeyRow = {
    ...newKey,
    realmId: books.realmId,
    name,
    scopes,
    createdAt: books.now,
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
    replacedBy: null,
  };
  books.apiKeys.set(row.id, row);
  books.record('key.created', {
    keyId: row.id,
    name,
    scopes,
    expiresAt: expiresAt === null ? null : iso(expiresAt),
  });
  return keyView(row);
}

/** The old key works on for the overlap, so that a client can be switched without interruption. */
export function rotateKey(books: Books, command: CommandOf<'key.rotate'>): ApiKey {
  const { newKey, overlapSeconds } = command;
  const old = liveKey(books, command.keyId);
  if (old.replacedBy !== null) {
    throw new Refused('key-replaced', { keyId: old.id, replacedBy: old.replacedBy });
  }
  if (old.expiresAt !== null && old.expiresAt <= books.now) {
    throw new Refused('key-expired', { keyId: old.id });
  }
  const overlapEnd = books.now + overlapSeconds * 1000;
  const oldExpiresAt = Math.min(overlapEnd, old.expiresAt ?? overlapEnd);
  const row: ApiKeyRow = { ...old, ...newKey, createdAt: books.now, lastUsedAt: null };
  books.apiKeys.set(old.id, { ...old, expiresAt: oldExpiresAt, replacedBy: row.id });
  books.apiKeys.set(row.id, row);
  books.record('key.rotated', {
    keyId: old.id,
    newKeyId: row.id,
    overlapUntil: iso(oldExpiresAt),
    name: old.name,
  });
  return keyView(row);
}

export function revokeKey(books: Books, command: CommandOf<'key.revoke'>): null {
  const row = liveKey(books, command.keyId);
  books.apiKeys.set(row.id, { ...row, revokedAt: books.now });
  books.record('key.revoked', { keyId: row.id, name: row.name });
  return null;
}

function liveKey(books: Books, keyId: string): ApiKeyRow {
  const row = books.apiKeys.get(keyId);
  if (!row || row.revokedAt !== null) throw new Refused('key-not-found', { keyId });
  return row;
}
