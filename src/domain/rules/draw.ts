import { createHash, hash } from 'node:crypto';
import type { Drawn, Tickets, Winner } from '../offer.ts';

/** The name of the procedure that `TicketList` follows. Another procedure gets another name. */
export const DRAW_METHOD = 'sha256-rejection-1';

export const MAX_WINNERS = 1_000;
/** The most claims of an offer that can be drawn: what is kept of each takes some 100 bytes. */
export const MAX_DRAWN_CLAIMS = 1_000_000;

const RANGE = 2n ** 64n;

/**
 * The claims of an offer that were not rejected, by their numbers, and a draw among them, as the
 * API describes it at `drawOffer` in `contract/operations/offers.ts`. To pass over what is at least
 * 2^64 - 2^64 mod t keeps it from favouring low tickets.
 */
export class TicketList {
  readonly #hash = createHash('sha256');
  readonly #claims: Tickets[] = [];
  /** Of each claim, the one before it of the same member; -1 if there is none. */
  readonly #before: number[] = [];
  readonly #lastOf = new Map<string, number>();

  add(claims: readonly Tickets[]): void {
    let lines = '';
    for (const claim of claims) {
      const { id, memberId, quantity } = claim;
      lines += `${id} ${memberId} ${quantity}\n`;
      this.#before.push(this.#lastOf.get(memberId) ?? -1);
      this.#lastOf.set(memberId, this.#claims.push(claim) - 1);
    }
    this.#hash.update(lines);
  }

  get size(): number {
    return this.#claims.length;
  }

  draw(count: number, seed: string): Drawn {
    const listHash = this.#hash.digest('hex');
    const left = new TicketSums(this.#claims.map(({ quantity }) => quantity));
    const tickets = left.total;
    const winners: Winner[] = [];
    for (let counter = 0; winners.length < count && left.total > 0; counter += 1) {
      const ticket = ticketOf(`${listHash} ${seed} ${counter}`, left.total);
      if (ticket === null) continue;
      const { id: claimId, memberId } = this.#claims[left.find(ticket)] as Tickets;
      winners.push({ memberId, claimId });
      for (let at = this.#lastOf.get(memberId) ?? -1; at >= 0; at = this.#before[at] ?? -1) {
        left.remove(at);
      }
    }
    return { winners, seed, tickets, listHash, method: DRAW_METHOD };
  }
}

function ticketOf(text: string, total: number): number | null {
  const x = BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`);
  const count = BigInt(total);
  return x < RANGE - (RANGE % count) ? Number(x % count) : null;
}

/** Finds the claim that a ticket belongs to, in as many steps as its number has bits. */
class TicketSums {
  readonly #quantities: number[];
  /** A Fenwick tree: the element at i sums up the quantities of the lowest bit of i before it. */
  readonly #sums: Float64Array;
  total = 0;

  constructor(quantities: number[]) {
    this.#quantities = quantities;
    this.#sums = new Float64Array(quantities.length + 1);
    for (const [index, quantity] of quantities.entries()) this.#add(index, quantity);
  }

  remove(index: number): void {
    this.#add(index, -(this.#quantities[index] ?? 0));
  }

  find(ticket: number): number {
    let [at, rest] = [0, ticket];
    for (let step = 2 ** Math.floor(Math.log2(this.#sums.length)); step >= 1; step /= 2) {
      const sum = this.#sums[at + step];
      if (sum === undefined || sum > rest) continue;
      at += step;
      rest -= sum;
    }
    return at;
  }

  #add(index: number, quantity: number): void {
    this.total += quantity;
    for (let at = index + 1; at < this.#sums.length; at += at & -at) {
      this.#sums[at] = (this.#sums[at] ?? 0) + quantity;
    }
  }
}
