import type { DiscordLink, Realm } from '../domain/model.ts';
import type { NoteName } from '../domain/notes.ts';
import type { Ledger } from './ledger.ts';

type Notes = Pick<Ledger, 'query' | 'housekeeping'>;
type RealmId = Pick<Realm, 'id' | 'createdAt'>;

/** The realm of a server of Discord, and up to which record the server was told of it. */
interface Claim {
  realmId: string;
  /** A later realm of the same id is another one. */
  createdAt: number;
  claimedAt: number;
  /** Null before the first. */
  announced: number | null;
}

type ClaimedServer = Claim & { guildId: string };

const PREFIX = 'discord_server:';
const noteOf = (guildId: string): NoteName => `${PREFIX}${guildId}`;

/** How long a claim holds before the settings of its realm name the server. */
const PENDING_MS = 60_000;

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

/** Does what links a realm to a server, or with null unlinks it. */
export async function withServer<T>(
  ledger: Notes,
  realm: Realm,
  link: DiscordLink | null,
  update: () => Promise<T>,
): Promise<T> {
  const mentioned = [realm.settings.discord, link].flatMap((one) => one?.guildId ?? []);
  if (link) await claimServer(ledger, link.guildId, realm);
  try {
    return await update();
  } finally {
    // The one before, or the new one if it was refused or done earlier.
    const now = await ledger.query('realm', { realmId: realm.id });
    for (const guildId of mentioned) {
      if (guildId !== now?.settings.discord?.guildId) await release(ledger, guildId, realm.id);
    }
  }
}

/**
 * Claims a server before the settings of the realm name it: two realms are never linked to the same
 * one, however many link it at once.
 */
async function claimServer(ledger: Notes, guildId: string, realm: RealmId): Promise<void> {
  const { id: realmId, createdAt } = realm;
  const name = noteOf(guildId);
  for (;;) {
    const replaced = await ledger.query('note', { name });
    const claim = parse(replaced);
    if (claim && isOf(claim, realm)) return;
    const isOther = claim !== null && claim.realmId !== realmId;
    if (isOther && (await isHeld(ledger, guildId, claim))) {
      throw new ServerTaken(guildId, claim.realmId);
    }
    const value = JSON.stringify({ realmId, createdAt, claimedAt: Date.now(), announced: null });
    if (await ledger.housekeeping.storeNote({ name, value, replaced })) return;
  }
}

async function isHeld(ledger: Notes, guildId: string, claim: Claim): Promise<boolean> {
  const realm = await ledger.query('realm', { realmId: claim.realmId });
  if (!realm || !isOf(claim, realm)) return false;
  const isPending = Date.now() - claim.claimedAt < PENDING_MS;
  return isPending || realm.settings.discord?.guildId === guildId;
}

const release = (ledger: Notes, guildId: string, realmId: string): Promise<void> =>
  changeNote(ledger, noteOf(guildId), (text) => (parse(text)?.realmId === realmId ? '' : text));

export async function claimedServers(ledger: Notes): Promise<ClaimedServer[]> {
  const notes = await ledger.query('notes', { prefix: PREFIX });
  return notes.flatMap(({ name, value }) => {
    const claim = parse(value);
    return claim ? [{ ...claim, guildId: name.slice(PREFIX.length) }] : [];
  });
}

/** Up to which record the server of a realm was told of it. */
export async function announcedOf(
  ledger: Notes,
  guildId: string,
  realm: RealmId,
): Promise<number | null> {
  const claim = parse(await ledger.query('note', { name: noteOf(guildId) }));
  return claim && isOf(claim, realm) ? claim.announced : null;
}

export const saveAnnounced = (
  ledger: Notes,
  guildId: string,
  realm: RealmId,
  announced: number,
): Promise<void> =>
  changeNote(ledger, noteOf(guildId), (text) => {
    const claim = parse(text);
    return claim && isOf(claim, realm) ? JSON.stringify({ ...claim, announced }) : text;
  });

const isOf = (claim: Claim, realm: RealmId): boolean =>
  claim.realmId === realm.id && claim.createdAt === realm.createdAt;

const parse = (text: string | null): Claim | null => (text ? JSON.parse(text) : null);

/** Several may change a note at once: then each change follows the one before. */
export async function changeNote(
  ledger: Notes,
  name: NoteName,
  change: (text: string | null) => string | null,
): Promise<void> {
  for (;;) {
    const replaced = await ledger.query('note', { name });
    const value = change(replaced);
    if (value === null || value === replaced) return;
    if (await ledger.housekeeping.storeNote({ name, value, replaced })) return;
  }
}
