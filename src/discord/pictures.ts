import { Gate } from '../ledger/gate.ts';

/** A picture as it is sent on. */
export interface Picture {
  type: string;
  bytes: Buffer;
}

interface PictureParts {
  token: string;
  /** Null for Discord's own. */
  apiUrl: string | null;
  cdnUrl: string | null;
  timeoutMs?: number | undefined;
}

const API = 'https://discord.com/api/v10';
const CDN = 'https://cdn.discordapp.com';

/** Of an account, and of an avatar as Discord names it: nothing else gets into a URL. */
const USER_ID = /^[1-9]\d{14,19}$/;
const AVATAR = /^(a_)?[0-9a-f]{32}$/;

const TYPE = 'image/webp';
const [MAX_ACCOUNT_BYTES, MAX_PICTURE_BYTES] = [16_384, 65_536];
const TIMEOUT_MS = 5_000;
/** Pages of members show many at once: a few are asked for, some wait, others have none for now. */
const LIMITS = { window: 4, perRealm: 200, inAll: 200 };
/** Of pictures, at most 20 MB. */
const MAX_KEPT_BYTES = 20_000_000;
const MAX_KEPT = 20_000;
/** How long one is kept, and that there is none; and how long after a failure none is asked for. */
const [KEPT_MS, FAILED_MS] = [6 * 3_600_000, 60_000];

/** A token that is refused stays so: Discord blocks who goes on. Else one account is at fault. */
const BLOCKING = new Set([401, 403, 429]);

interface Kept {
  picture: Picture | null;
  until: number;
}

/** The pictures of accounts of Discord, kept in memory for some hours. */
export class Pictures {
  readonly #parts: PictureParts;
  /** The one asked for last is the last. */
  readonly #kept = new Map<string, Kept>();
  readonly #asked = new Map<string, Promise<Picture | null>>();
  readonly #gate = new Gate(LIMITS);
  #keptBytes = 0;
  /** Discord wants no more requests until then. */
  #pausedUntil = 0;

  constructor(parts: PictureParts) {
    this.#parts = parts;
  }

  /** Null if there is none, or none can be had now. Never fails. */
  async of(userId: string): Promise<Picture | null> {
    if (!USER_ID.test(userId)) return null;
    const kept = this.#kept.get(userId);
    if (kept && kept.until > Date.now()) {
      this.#keep(userId, kept);
      return kept.picture;
    }
    const asked = this.#asked.get(userId);
    if (asked) return asked;
    const asking = this.#gate
      .pass('', 1, undefined, () => this.#ask(userId))
      .catch(() => null)
      .finally(() => this.#asked.delete(userId));
    this.#asked.set(userId, asking);
    return asking;
  }

  async #ask(userId: string): Promise<Picture | null> {
    if (this.#pausedUntil > Date.now()) return null;
    let [picture, forMs]: [Picture | null, number] = [null, FAILED_MS];
    try {
      [picture, forMs] = [await this.#fetch(userId), KEPT_MS];
    } catch {
      // Discord is away, or answers something else: initials do meanwhile.
    }
    this.#keep(userId, { picture, until: Date.now() + forMs });
    return picture;
  }

  async #fetch(userId: string): Promise<Picture | null> {
    const { token, apiUrl, cdnUrl } = this.#parts;
    const headers = { authorization: `Bot ${token}` };
    const account = await this.#get(`${apiUrl ?? API}/users/${userId}`, headers, MAX_ACCOUNT_BYTES);
    if (account === null) return null;
    const { avatar } = JSON.parse(account.bytes.toString()) as { avatar?: unknown };
    if (typeof avatar !== 'string' || !AVATAR.test(avatar)) return null;
    const url = `${cdnUrl ?? CDN}/avatars/${userId}/${avatar}.webp?size=128`;
    const picture = await this.#get(url, { accept: TYPE }, MAX_PICTURE_BYTES);
    if (picture === null || picture.type !== TYPE || !isWebp(picture.bytes)) return null;
    return picture;
  }

  /** Null if there is none. */
  async #get(url: string, headers: Record<string, string>, most: number): Promise<Picture | null> {
    const signal = AbortSignal.timeout(this.#parts.timeoutMs ?? TIMEOUT_MS);
    const answer = await fetch(url, { headers, signal, redirect: 'error' });
    if (answer.status === 200) {
      const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
      return { type, bytes: await bytesOf(answer, most) };
    }
    await answer.body?.cancel();
    if (answer.status === 404) return null;
    if (BLOCKING.has(answer.status)) {
      const seconds = Number(answer.headers.get('retry-after')) || FAILED_MS / 1_000;
      this.#pausedUntil = Date.now() + Math.min(seconds * 1_000, KEPT_MS);
    }
    throw new Error(`Discord answers ${answer.status}`);
  }

  #keep(userId: string, kept: Kept): void {
    this.#forget(userId);
    this.#kept.set(userId, kept);
    this.#keptBytes += kept.picture?.bytes.length ?? 0;
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT && this.#keptBytes <= MAX_KEPT_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(userId: string): void {
    this.#keptBytes -= this.#kept.get(userId)?.picture?.bytes.length ?? 0;
    this.#kept.delete(userId);
  }
}

async function bytesOf({ body }: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > most) throw new Error('Discord sends more than it should');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whatever the answer says of itself, browsers get nothing else. */
const isWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
