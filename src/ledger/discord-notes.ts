import { randomText } from '../domain/key-format.ts';
import type { DiscordLink, Realm } from '../domain/model.ts';
import type { NoteName } from '../domain/queries.ts';
import { linksOf } from '../domain/rules/discord-links.ts';
import type { Ledger } from './ledger.ts';

type Notes = Pick<Ledger, 'query' | 'housekeeping'>;
type RealmId = Pick<Realm, 'id' | 'createdAt'>;

/** What the app keeps of a realm while a server is linked to it. */
interface AppNote {
  /** A later realm of the same id is another one. */
  createdAt: number;
  /** Up to which record the servers were told of it; null before the first. */
  announced: number | null;
  keyId: string;
}

/** The realm of a server of Discord. */
interface Claim {
  realmId: string;
  /** A later realm of the same id is another one. */
  createdAt: number;
  /** Attempts to link it that are under way, and since when. */
  attempts: Record<string, number>;
}

const appOf = (realmId: string): NoteName => `discord_app:${realmId}`;
const serverOf = (guildId: string): NoteName => `discord_server:${guildId}`;
const parse = <Note>(text: string | null): Note | null => (text ? JSON.parse(text) : null);

/** Those of this kind that are not empty, by the end of their names. */
async function notesOf<Note>(ledger: Notes, prefix: string): Promise<[id: string, note: Note][]> {
  const notes = await ledger.query('notes', { prefix });
  return notes.flatMap(({ name, value }) => {
    const note = parse<Note>(value);
    return note === null ? [] : [[name.slice(prefix.length), note]];
  });
}

/** Notes the key that the app has for a realm. */
export const noteAppKey = (ledger: Notes, { id, createdAt }: RealmId, keyId: string) =>
  changeNote(ledger, appOf(id), (text) => {
    const app = parse<AppNote>(text);
    const kept = app?.createdAt === createdAt ? app : { createdAt, announced: null };
    return JSON.stringify({ ...kept, keyId } satisfies AppNote);
  });

export async function announcedOf(ledger: Notes, realm: RealmId): Promise<number | null> {
  const app = parse<AppNote>(await ledger.query('note', { name: appOf(realm.id) }));
  return app?.createdAt === realm.createdAt ? app.announced : null;
}

export const saveAnnounced = (ledger: Notes, { id, createdAt }: RealmId, announced: number) =>
  changeNote(ledger, appOf(id), (text) => {
    const app = parse<AppNote>(text);
    return app?.createdAt === createdAt ? JSON.stringify({ ...app, announced }) : text;
  });

/** The realms that the app has a key for, or had. */
export const appRealms = async (ledger: Notes): Promise<string[]> =>
  (await notesOf<AppNote>(ledger, appOf(''))).map(([realmId]) => realmId);

/** Revokes the app's key in a realm that has no server any more, whether the app runs or not. */
export async function forgetApp(
  ledger: Notes & Pick<Ledger, 'execute'>,
  realmId: string,
): Promise<void> {
  const app = parse<AppNote>(await ledger.query('note', { name: appOf(realmId) }));
  // Looked at last: another process may have linked one meanwhile.
  const realm = app && (await ledger.query('realm', { realmId }));
  if (!app || realm?.settings.discord) return;
  const command = { type: 'key.revoke' as const, realmId, keyId: app.keyId };
  await ledger.execute({ ...command, actor: 'service', idempotency: null });
  await changeNote(ledger, appOf(realmId), () => '');
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

/** How long an attempt counts: its process may have died. */
const ATTEMPT_MS = 60_000;

/** Another realm has the server. */
export class ServerTaken extends Error {
  readonly guildId: string;
  readonly holder: string;

  constructor(guildId: string, holder: string) {
    super(`the server ${guildId} is linked to realm ${holder}`);
    this.guildId = guildId;
    this.holder = holder;
  }
}

/**
 * Does what links a realm to these servers, and to no others. They are claimed before the settings
 * name them: two realms are never linked to the same one, however many link it at once.
 */
export async function withServers<T>(
  ledger: Notes & Pick<Ledger, 'execute'>,
  realm: Realm,
  links: readonly DiscordLink[],
  update: () => Promise<T>,
): Promise<T> {
  const attempt = randomText(12);
  // In one order: of two who want the same servers, one gets them all.
  const wanted = links.map(({ guildId }) => guildId).toSorted();
  const before = linksOf(realm.settings.discord).map(({ guildId }) => guildId);
  try {
    for (const guildId of wanted) await claimServer(ledger, guildId, realm, attempt);
    return await update();
  } finally {
    for (const guildId of new Set([...before, ...wanted])) {
      await endAttempt(ledger, guildId, realm.id, attempt);
    }
    await forgetApp(ledger, realm.id);
  }
}

const claimServer = (ledger: Notes, guildId: string, realm: RealmId, attempt: string) =>
  changeNote(ledger, serverOf(guildId), async (text) => {
    const claim = parse<Claim>(text);
    const isOwn = claim !== null && isOf(claim, realm);
    if (claim && !isOwn && (await isHeld(ledger, guildId, claim))) {
      throw new ServerTaken(guildId, claim.realmId);
    }
    const { id: realmId, createdAt } = realm;
    const attempts = { ...(isOwn && claim.attempts), [attempt]: Date.now() };
    return JSON.stringify({ realmId, createdAt, attempts } satisfies Claim);
  });

/** What the settings do not name, and no other attempt is about to link, is free again. */
const endAttempt = (ledger: Notes, guildId: string, realmId: string, attempt: string) =>
  changeNote(ledger, serverOf(guildId), async (text) => {
    const claim = parse<Claim>(text);
    if (claim?.realmId !== realmId) return text;
    delete claim.attempts[attempt];
    return (await isHeld(ledger, guildId, claim)) ? JSON.stringify(claim) : '';
  });

async function isHeld(ledger: Notes, guildId: string, claim: Claim): Promise<boolean> {
  const realm = await ledger.query('realm', { realmId: claim.realmId });
  if (!realm || !isOf(claim, realm)) return false;
  const oldest = Date.now() - ATTEMPT_MS;
  if (Object.values(claim.attempts).some((since) => since > oldest)) return true;
  return linksOf(realm.settings.discord).some((link) => link.guildId === guildId);
}

export const claimedServers = async (ledger: Notes) =>
  (await notesOf<Claim>(ledger, serverOf(''))).map(([guildId, claim]) => ({ ...claim, guildId }));

const isOf = (claim: Claim, realm: RealmId): boolean =>
  claim.realmId === realm.id && claim.createdAt === realm.createdAt;
