import type { Realm } from '../domain/model.ts';
import type { NoteName } from '../domain/queries.ts';
import type { Ledger } from './ledger.ts';

export type Notes = Pick<Ledger, 'query' | 'housekeeping'>;
export type RealmId = Pick<Realm, 'id' | 'createdAt'>;

/** What the app keeps of a realm while a server is linked to it. */
interface AppNote {
  /** A later realm of the same id is another one. */
  createdAt: number;
  /** Up to which record the servers were told of it; null before the first. */
  announced: number | null;
  keyId: string;
}

const PREFIX = 'discord_app:';
const noteOf = (realmId: string): NoteName => `${PREFIX}${realmId}`;
const parse = (text: string | null): AppNote | null => (text ? JSON.parse(text) : null);

/** Notes the key that the app has for a realm. */
export const noteAppKey = (ledger: Notes, { id, createdAt }: RealmId, keyId: string) =>
  changeNote(ledger, noteOf(id), (text) => {
    const app = parse(text);
    const kept = app?.createdAt === createdAt ? app : { createdAt, announced: null };
    return JSON.stringify({ ...kept, keyId } satisfies AppNote);
  });

export async function announcedOf(ledger: Notes, realm: RealmId): Promise<number | null> {
  const app = parse(await ledger.query('note', { name: noteOf(realm.id) }));
  return app?.createdAt === realm.createdAt ? app.announced : null;
}

export const saveAnnounced = (ledger: Notes, { id, createdAt }: RealmId, announced: number) =>
  changeNote(ledger, noteOf(id), (text) => {
    const app = parse(text);
    return app?.createdAt === createdAt ? JSON.stringify({ ...app, announced }) : text;
  });

/** The realms that the app has a key for, or had. */
export async function appRealms(ledger: Notes): Promise<string[]> {
  const notes = await ledger.query('notes', { prefix: PREFIX });
  return notes.flatMap(({ name, value }) => (value ? [name.slice(PREFIX.length)] : []));
}

/** Revokes the app's key in a realm that has no server any more, whether the app runs or not. */
export async function forgetApp(
  ledger: Notes & Pick<Ledger, 'execute'>,
  realmId: string,
): Promise<void> {
  const app = parse(await ledger.query('note', { name: noteOf(realmId) }));
  // Looked at last: another process may have linked one meanwhile.
  const realm = app && (await ledger.query('realm', { realmId }));
  if (!app || realm?.settings.discord) return;
  const command = { type: 'key.revoke' as const, realmId, keyId: app.keyId };
  await ledger.execute({ ...command, actor: 'service', idempotency: null });
  await changeNote(ledger, noteOf(realmId), () => '');
}

/** Several may change a note at once: then each change follows the one before. */
export async function changeNote(
  ledger: Notes,
  name: NoteName,
  change: (text: string | null) => string | null | Promise<string | null>,
): Promise<void> {
  for (;;) {
    const replaced = await ledger.query('note', { name });
    const value = await change(replaced);
    if (value === null || value === replaced) return;
    if (await ledger.housekeeping.storeNote({ name, value, replaced })) return;
  }
}
