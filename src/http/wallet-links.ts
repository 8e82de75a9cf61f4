import { ProblemError } from '../contract/problems.ts';
import { generateKey } from '../domain/key-format.ts';
import type { Session } from '../domain/model.ts';
import { codeUntil } from '../domain/rules/sessions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Limits } from './rate-limits.ts';
import type { Sessions } from './sessions.ts';

/** Ids of keys and people have no colon: such a code signs nobody in. */
const OWNER = /^wallet:([^/]+)\/(\d+)$/;
const ownerOf = (realmId: string, memberId: string): string => `wallet:${realmId}/${memberId}`;

/** More than anybody needs to sign; each may write, or ask a chain. */
const LIMIT = { perSecond: 1, burst: 30 };

export interface WalletLink {
  realmId: string;
  memberId: string;
  code: Session;
}

/** The links to the page where members link wallets. Each is a code, stored as others are. */
export class WalletLinks {
  readonly #housekeeping: Ledger['housekeeping'];
  readonly #sessions: Sessions;
  readonly #limits = new Limits(LIMIT);

  constructor({ housekeeping }: Ledger, sessions: Sessions) {
    this.#housekeeping = housekeeping;
    this.#sessions = sessions;
  }

  /** Counts what is asked for a member, by whatever key or link. */
  count(realmId: string, memberId: string): void {
    if (this.#limits.take(ownerOf(realmId, memberId))) return;
    throw new ProblemError('rate-limited', { reason: 'Too many requests for one member.' });
  }

  /** A code for a member, in place of the one before. */
  async issue(realmId: string, memberId: string, expiresAt: number): Promise<string> {
    const { key: code, newKey } = generateKey();
    const keyId = ownerOf(realmId, memberId);
    await this.#housekeeping.replaceCodes(codeUntil(expiresAt, { newKey, keyId, now: Date.now() }));
    return code;
  }

  /** Null if there is none, or it is over. */
  async find(text: string): Promise<WalletLink | null> {
    const code = await this.#sessions.findCode(text);
    const [, realmId, memberId] = OWNER.exec(code?.keyId ?? '') ?? [];
    return code && realmId && memberId ? { realmId, memberId, code } : null;
  }

  /**
   * Does the work by a link, which is used up, unless the work fails: of several at once, one does
   * its work. Null if the link was used meanwhile.
   */
  async use<T>({ code }: WalletLink, work: () => Promise<T>): Promise<T | null> {
    if (!(await this.#sessions.spend(code.id))) return null;
    try {
      return await work();
    } catch (error) {
      await this.#housekeeping.createSession(code);
      throw error;
    }
  }
}
