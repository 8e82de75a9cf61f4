import type { Command } from '../../src/domain/commands.ts';
import type { Amounts, ClaimStatus, OfferTerms } from '../../src/domain/offer.ts';
import { type Of, refuse, type Side } from './model-parts.ts';

interface ModelOffer {
  terms: OfferTerms;
  isDrawn: boolean;
  lastSeq: number;
}

interface ModelClaim {
  offerId: string;
  member: string;
  quantity: number;
  status: ClaimStatus;
  day: number;
  streak: number | null;
  /** The last day before its own that counted when that was first claimed. */
  before: LastDay | undefined;
  gave: Amounts;
  cost: Amounts;
}

type LastDay = Pick<ModelClaim, 'day' | 'streak'>;

/** What offers need of the rest of the model. */
export interface Community {
  now: number;
  seq: number;
  balance(member: string, kind: string): number;
  requireMember(id: string): void;
  refuseFrozen(id: string): void;
  /** Refuses points that cannot be spent. */
  taken(m: string, kind: string, tokens: number, upTo?: boolean, floor?: number): number;
  /** Writes one record. */
  move(sides: Side[]): number[];
}

const DAY_MS = 86_400_000;

const times = (amounts: Amounts, factor: number): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([kind, tokens]) => [kind, tokens * factor]));

/** Offers and claims: every count is that of a list of claims. */
export class OfferModel {
  readonly offers = new Map<string, ModelOffer>();
  readonly claims = new Map<number, ModelClaim>();
  readonly #rejections = new Set<number>();
  readonly #all: Community;

  constructor(community: Community) {
    this.#all = community;
  }

  isOfClaim = (seq: number): boolean => this.claims.has(seq) || this.#rejections.has(seq);

  claimed(offerId: string, member?: string): number {
    return this.#counted(offerId, member).reduce((sum, one) => sum + one.quantity, 0);
  }

  #counted(offerId: string, member?: string): ModelClaim[] {
    return [...this.claims.values()].filter(
      (one) =>
        one.offerId === offerId &&
        one.status !== 'rejected' &&
        (member === undefined || one.member === member),
    );
  }

  #offer(id: string): ModelOffer {
    return this.offers.get(id) ?? refuse('offer-not-found');
  }

  status(id: string): string {
    const { terms, isDrawn } = this.#offer(id);
    const { archived, opensAt, closesAt, stock } = terms;
    const isAfter = (text: string | null) => text !== null && this.#all.now >= Date.parse(text);
    if (archived) return 'archived';
    if (isDrawn) return 'closed';
    if (opensAt !== null && !isAfter(opensAt)) return 'upcoming';
    if (isAfter(closesAt)) return 'closed';
    return stock !== null && this.claimed(id) >= stock ? 'soldOut' : 'open';
  }

  execute(command: Command): (string | number)[] {
    switch (command.type) {
      case 'offer.create':
        return this.#create(command);
      case 'offer.update':
        return this.#update(command);
      case 'offer.draw':
        return this.#draw(command);
      case 'offer.claim':
        return this.#claim(command);
      case 'claim.deliver':
        return this.#deliver(command);
      case 'claim.reject':
        return this.#reject(command);
      default:
        throw new Error(`the model lacks ${command.type}`);
    }
  }

  #create({ offerId, terms }: Of<'offer.create'>): string[] {
    this.offers.set(offerId, { terms, isDrawn: false, lastSeq: 0 });
    this.#all.seq += 1;
    return [this.status(offerId)];
  }

  #update({ offerId, changes }: Of<'offer.update'>): string[] {
    const offer = this.#offer(offerId);
    const terms = { ...offer.terms, ...changes };
    if (JSON.stringify(terms) === JSON.stringify(offer.terms)) return [this.status(offerId)];
    const { opensAt, closesAt } = terms;
    if (opensAt !== null && opensAt === closesAt) refuse('offer-incomplete');
    this.#all.seq += 1;
    this.offers.set(offerId, { ...offer, terms });
    return [this.status(offerId)];
  }

  #draw({ offerId, asOf }: Of<'offer.draw'>): string[] {
    const offer = this.#offer(offerId);
    if (offer.isDrawn) refuse('offer-drawn');
    if (!['archived', 'closed'].includes(this.status(offerId))) refuse('offer-open');
    if (asOf !== offer.lastSeq) refuse('draw-outdated');
    offer.isDrawn = true;
    this.#all.seq += 1;
    return [];
  }

  #claim(command: Of<'offer.claim'>): (string | number)[] {
    const { offerId, memberId: member, quantity, expectedCosts } = command;
    const offer = this.#offer(offerId);
    const { terms } = offer;
    this.#all.requireMember(member);
    if (offer.isDrawn) refuse('offer-drawn');
    if (!['open', 'soldOut'].includes(this.status(offerId))) refuse('offer-closed');
    if (this.claimed(offerId) + quantity > (terms.stock ?? Infinity)) refuse('offer-sold-out');
    this.#all.refuseFrozen(member);
    const day = Math.floor(this.#all.now / DAY_MS);
    this.#refuseUnfit(command, terms, day);
    if (expectedCosts && JSON.stringify(expectedCosts) !== JSON.stringify(terms.costs)) {
      refuse('price-changed');
    }
    const before = this.#lastDay(command, day);
    const streak = terms.streak && this.#streak(command, terms.streak.graceDays, day);
    const gave = times(terms.gives, quantity);
    const isFirst = !this.#counted(offerId, member).some((one) => one.day === day);
    const bonus = terms.streak?.bonus.at(Math.min(streak ?? 0, terms.streak.bonus.length) - 1) ?? 0;
    const [first] = Object.keys(gave);
    if (streak && isFirst && first) gave[first] = (gave[first] ?? 0) + bonus;
    const cost = times(terms.costs, quantity);
    const after = this.#move(member, gave, cost);
    const { seq } = this.#all;
    const status = terms.delivery === 'manual' ? 'pending' : 'done';
    const one = { offerId, member, quantity, status, day, streak, before, gave, cost } as const;
    this.claims.set(seq, one);
    offer.lastSeq = seq;
    return [seq, status, `${streak}`, ...after];
  }

  #refuseUnfit(command: Of<'offer.claim'>, terms: OfferTerms, day: number): void {
    const { offerId, memberId: member, quantity } = command;
    const { perMember, requires } = terms;
    const counted = this.#counted(offerId, member).filter(
      (one) => perMember?.period === 'ever' || one.day === day,
    );
    const count = counted.reduce((sum, one) => sum + one.quantity, 0);
    if (perMember && count + quantity > perMember.times) refuse('offer-limit-reached');
    const { minimumBalance = {}, claimed } = requires ?? {};
    const isPoor = Object.entries(minimumBalance).some(
      ([kind, least]) => this.#all.balance(member, kind) < least,
    );
    if (isPoor || (claimed && this.claimed(claimed, member) === 0)) refuse('offer-requirement');
  }

  #streak(command: Of<'offer.claim'>, grace: number, day: number): number {
    const today = this.#counted(command.offerId, command.memberId).find((one) => one.day === day);
    if (today) return today.streak ?? 0;
    const last = this.#lastDay(command, day);
    return last && day - last.day <= 1 + grace ? (last.streak ?? 0) + 1 : 1;
  }

  /** The last one before a day: a rejection takes away the last day that was claimed, no other. */
  #lastDay({ offerId, memberId }: Of<'offer.claim'>, day: number): LastDay | undefined {
    const all = [...this.claims.values()].filter(
      (one) => one.offerId === offerId && one.member === memberId,
    );
    const last = all.at(-1);
    if (last?.day === day) return last.before;
    return all.find((one) => one.day === last?.day && one.status !== 'rejected') ?? last?.before;
  }

  #move(member: string, gave: Amounts, cost: Amounts): number[] {
    const kinds = [...new Set([...Object.keys(cost), ...Object.keys(gave)])];
    for (const kind of kinds) if (cost[kind]) this.#all.taken(member, kind, cost[kind]);
    return this.#all.move(
      kinds.map((kind) => [member, kind, (gave[kind] ?? 0) - (cost[kind] ?? 0)]),
    );
  }

  #deliver({ claimId }: Of<'claim.deliver'>): (string | number)[] {
    const claim = this.#pending(claimId);
    claim.status = 'done';
    this.#all.seq += 1;
    return [claimId, claim.status];
  }

  #reject({ claimId }: Of<'claim.reject'>): (string | number)[] {
    const claim = this.#pending(claimId);
    const { offerId, member, gave, cost } = claim;
    const offer = this.#offer(offerId);
    if (offer.isDrawn) refuse('offer-drawn');
    this.#all.requireMember(member);
    this.#all.refuseFrozen(member);
    const kinds = [...new Set([...Object.keys(cost), ...Object.keys(gave)])];
    const sides = kinds.map((kind): Side => [member, kind, (cost[kind] ?? 0) - (gave[kind] ?? 0)]);
    for (const [, kind, tokens] of sides) {
      if (tokens < 0) this.#all.taken(member, kind, -tokens, false, 0);
    }
    this.#all.move(sides);
    claim.status = 'rejected';
    offer.lastSeq = this.#all.seq;
    this.#rejections.add(this.#all.seq);
    return [claimId, claim.status];
  }

  #pending(claimId: number): ModelClaim {
    const claim = this.claims.get(claimId) ?? refuse('claim-not-found');
    return claim.status === 'pending' ? claim : refuse('claim-closed');
  }
}
