import { randomText } from '../domain/key-format.ts';
import type { DiscordLink, Realm } from '../domain/model.ts';
import type { NoteName } from '../domain/queries.ts';
import { linksOf } from '../domain/rules/discord-links.ts';
import { changeNote, forgetApp, type Notes, type RealmId } from './discord-app.ts';
import type { Ledger } from './ledger.ts';

/** The realm of a server of Discord. */
interface Claim {
  realmId: string;
  /** A later realm of the same id is another one. */
  createdAt: number;
  /** Attempts to link it that are under way, and since when. */
  attempts: Record<string, number>;
}

type ClaimedServer = Claim & { guildId: string };

const PREFIX = 'discord_server:';
const noteOf = (guildId: string): NoteName => `${PREFIX}${guildId}`;
const parse = (text: string | null): Claim | null => (text ? JSON.parse(text) : null);

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
  changeNote(ledger, noteOf(guildId), async (text) => {
    const claim = parse(text);
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
  changeNote(ledger, noteOf(guildId), async (text) => {
    const claim = parse(text);
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

export async function claimedServers(ledger: Notes): Promise<ClaimedServer[]> {
  const notes = await ledger.query('notes', { prefix: PREFIX });
  return notes.flatMap(({ name, value }) => {
    const claim = parse(value);
    return claim ? [{ ...claim, guildId: name.slice(PREFIX.length) }] : [];
  });
}

const isOf = (claim: Claim, realm: RealmId): boolean =>
  claim.realmId === realm.id && claim.createdAt === realm.createdAt;
