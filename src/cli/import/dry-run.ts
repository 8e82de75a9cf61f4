import type { Enrolment, EnrolmentOutcome } from '../../domain/commands.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { accountKey } from '../../domain/rules/books.ts';

/** Enrols members; the outcomes are in their order. */
export type Enrol = (members: Enrolment[]) => Promise<EnrolmentOutcome[]>;

/**
 * Each batch of a dry run is undone before the next one is decided. Here is what the next one
 * would find if it were not: who owns the wallets and accounts of the batches before.
 */
export class DryRun {
  readonly #decide: Enrol;
  readonly #wallets = new Map<string, bigint>();
  readonly #accounts = new Map<string, bigint>();
  #before: Promise<unknown> = Promise.resolve();

  /** `decide` enrols the members and undoes it. */
  constructor(decide: Enrol) {
    this.#decide = decide;
  }

  readonly enrol: Enrol = (members) => {
    const outcomes = this.#before.then(() => this.#enrol(members));
    this.#before = outcomes.catch(() => undefined);
    return outcomes;
  };

  async #enrol(members: Enrolment[]): Promise<EnrolmentOutcome[]> {
    const outcomes = await this.#decide(members);
    const refusals = members.map((member, index) =>
      isEnrolled(outcomes[index]) ? this.#refusalOf(member) : null,
    );
    if (refusals.every((refusal) => refusal === null)) {
      for (const [index, member] of members.entries()) {
        if (isEnrolled(outcomes[index])) this.#note(member);
      }
      return outcomes;
    }
    // Without these, others of the batch may get a wallet that one of these would not have got.
    const rest = await this.#enrol(members.filter((_, index) => refusals[index] === null));
    const next = rest.values();
    return members.map(({ memberId }, index) => {
      const refusal = refusals[index];
      return refusal ? { memberId, refusal } : (next.next().value as EnrolmentOutcome);
    });
  }

  /** As the rules refuse: wallets first. */
  #refusalOf({ wallets, fields }: Enrolment): Refusal | null {
    for (const { key, address } of wallets) {
      const memberId = this.#wallets.get(key);
      if (memberId)
        return { code: 'wallet-taken', extra: { wallet: address, memberId: String(memberId) } };
    }
    for (const account of fields.accounts ?? []) {
      const key = accountKey(account);
      const memberId = this.#accounts.get(key);
      if (memberId)
        return { code: 'account-taken', extra: { account: key, memberId: String(memberId) } };
    }
    return null;
  }

  #note({ memberId, wallets, fields }: Enrolment): void {
    // Not the text, which would keep all of its file in memory.
    const owner = BigInt(memberId ?? 0);
    for (const { key } of wallets) this.#wallets.set(key, owner);
    for (const account of fields.accounts ?? []) this.#accounts.set(accountKey(account), owner);
  }
}

const isEnrolled = (outcome: EnrolmentOutcome | undefined): boolean =>
  outcome !== undefined && !('refusal' in outcome);
