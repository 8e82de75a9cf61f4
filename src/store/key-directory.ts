import type { ApiKeyRow } from '../domain/model.ts';
import { insertInto } from './rows.ts';
import { askWrite, first, type Operation, query, together } from './statement.ts';
import { globalTable, text } from './table.ts';

/** Finds the realm of an API key or a person, whose own row is stored with its realm. */
export const keyDirectory = globalTable<Pick<ApiKeyRow, 'id' | 'realmId'>>(
  'key_directory',
  ['key_id'],
  { id: text('key_id'), realmId: text('realm_id') },
);

const find = query<{ realmId: string }, { keyId: string }>(
  'SELECT realm_id AS "realmId" FROM key_directory WHERE key_id = :keyId',
);

export const insertKeys = insertInto(keyDirectory, 'ON CONFLICT DO NOTHING');

export function* realmOfKey(keyId: string): Operation<string | null> {
  return (yield* first(find, { keyId }))?.realmId ?? null;
}

export function* addToDirectory(row: { id: string; realmId: string }): Operation<void> {
  yield* together(askWrite(insertKeys, [{ realmId: row.realmId, row }]));
}
