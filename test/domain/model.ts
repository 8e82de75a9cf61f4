import type { Command } from '../../src/domain/commands.ts';

/**
 * What the rules should do, said a second time in the simplest words: one map of balances, one of
 * statuses. The property tests hold `decide` against it.
 */
export class Model {
  readonly balances = new Map<string, number>();
  readonly statuses = new Map<string, 'active' | 'frozen' | 'removed'>();
  readonly #done = new Map<string, [fingerprint: string, result: string]>();

  /** The refusal's code, or `ok` and the balances that an answer shows. */
  apply(command: Command): string {
    const idempotency = command.idempotency;
    const before = idempotency && this.#done.get(idempotency.key);
    if (before) {
      return before[0] === idempotency.fingerprint ? before[1] : 'idempotency-key-reused';
    }
    const result = this.#carryOut(command);
    if (idempotency && result.startsWith('ok')) {
      this.#done.set(idempotency.key, [idempotency.fingerprint, result]);
    }
    return result;
  }

  #carryOut(command: Command): string {
    switch (command.type) {
      case 'member.create':
        return this.#create(command.memberId ?? '');
      case 'member.update':
        return this.#freeze(command.memberId, command.status ?? 'active');
      case 'member.remove':
        return this.#remove(command.memberId, command.forfeit);
      case 'points.change':
        return this.#change(command.memberId, command.tokens);
      case 'points.transfer':
        return this.#transfer(command.memberId, command.recipientId, command.tokens);
      default:
        throw new Error(`the model does not know ${command.type}`);
    }
  }

  #here(id: string): boolean {
    return this.statuses.has(id) && this.statuses.get(id) !== 'removed';
  }

  #create(id: string): string {
    if (this.#here(id)) return 'member-exists';
    this.statuses.set(id, 'active');
    this.balances.set(id, 0);
    return 'ok';
  }

  #freeze(id: string, status: 'active' | 'frozen'): string {
    if (!this.#here(id)) return 'member-not-found';
    this.statuses.set(id, status);
    return 'ok';
  }

  #remove(id: string, forfeit: boolean): string {
    if (!this.#here(id)) return 'member-not-found';
    if (this.balances.get(id) !== 0 && !forfeit) return 'balance-not-zero';
    this.balances.set(id, 0);
    this.statuses.set(id, 'removed');
    return 'ok';
  }

  #change(id: string, tokens: number): string {
    if (!this.#here(id)) return 'member-not-found';
    if (this.statuses.get(id) === 'frozen') return 'member-frozen';
    const next = BigInt(this.balances.get(id) ?? 0) + BigInt(tokens);
    if (next < 0n) return 'insufficient-points';
    if (next > BigInt(Number.MAX_SAFE_INTEGER)) return 'balance-limit';
    this.balances.set(id, Number(next));
    return `ok ${next}`;
  }

  #transfer(from: string, to: string, tokens: number): string {
    if (!this.#here(from)) return 'member-not-found';
    if (!this.#here(to)) return 'recipient-not-found';
    if (from === to) return 'self-transfer';
    if (this.statuses.get(from) === 'frozen' || this.statuses.get(to) === 'frozen') {
      return 'member-frozen';
    }
    const [mine, theirs] = [this.balances.get(from) ?? 0, this.balances.get(to) ?? 0];
    if (mine < tokens) return 'insufficient-points';
    if (theirs + tokens > Number.MAX_SAFE_INTEGER) return 'balance-limit';
    this.balances.set(from, mine - tokens);
    this.balances.set(to, theirs + tokens);
    return `ok ${mine - tokens} ${theirs + tokens}`;
  }
}
