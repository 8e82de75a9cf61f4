import type { Claimant, ClaimRow, Offer, OfferTerms } from '../offer.ts';
import { decodeRecord, type RecordOf } from '../records.ts';
import { claimantKey, withClaim, withoutClaim } from './claimants.ts';
import {
  Column,
  type Comparison,
  compareDigests,
  compareRows,
  digestOf,
  type Fault,
  type MemberIndex,
} from './comparison.ts';
import type { JournalRecord } from './journal.ts';

const TYPES = [
  'offer.created',
  'offer.updated',
  'offer.claimed',
  'offer.drawn',
  'claim.delivered',
  'claim.rejected',
] as const;

type OfferRecord = RecordOf<(typeof TYPES)[number]>;
type Claimed = RecordOf<'offer.claimed'>['data'];

/** The instants are those of the clock, of which a record says only the rest. */
type DerivedOffer = Omit<Offer, 'createdAt' | 'updatedAt'>;

/** Each of the terms as a text, because a row is compared field by field. */
function flat({ id, terms, claimed, lastSeq, drawSeq }: DerivedOffer) {
  const names = (Object.keys(terms) as (keyof OfferTerms)[]).sort();
  return {
    id,
    terms: `${names.map((one) => JSON.stringify(terms[one]))}`,
    claimed,
    lastSeq,
    drawSeq,
  };
}

/** Pending claims are kept; of the others, a member has one number, whatever their order. */
export class OfferAuditor {
  readonly #members: MemberIndex;
  readonly #offers = new Map<string, DerivedOffer>();
  readonly #pending = new Map<number, Claimed>();
  readonly #closed = new Column();
  readonly #claimants = new Map<string, Claimant>();

  constructor(members: MemberIndex) {
    this.#members = members;
  }

  /** Checks the next record: a claim is delivered or rejected once, if it waits for that. */
  checkRecord(record: JournalRecord): Fault | null {
    const found = decodeRecord(record, TYPES);
    if (!found) return null;
    if (found.type === 'offer.created') {
      const { id, ...terms } = termsIn(found);
      this.#offers.set(id, { id, terms, claimed: 0, lastSeq: 0, drawSeq: null });
      return null;
    }
    const { seq, data } = found;
    const offerId = 'id' in data ? data.id : data.offerId;
    const offer = this.#offers.get(offerId);
    const detail = offer
      ? this.#apply(found, offer)
      : `record ${seq} is about offer ${offerId}, which there is not`;
    return detail === null ? null : { seq, detail };
  }

  offers(): Comparison<Offer> {
    const rows = Array.from(this.#offers.values(), flat);
    const tell = ({ id }: { id: string }, says: string) => `offer ${id} ${says}`;
    const compared = compareRows(rows, ({ id }) => id, tell);
    return { add: (row) => compared.add(flat(row)), end: compared.end };
  }

  claims(): Comparison<ClaimRow> {
    const expected = new Column();
    for (let index = 0; index < this.#members.size; index += 1) {
      const closed = this.#closed.get(index);
      if (!Number.isNaN(closed)) expected.set(index, closed);
    }
    for (const [id, claim] of this.#pending) this.#mix(expected, id, claim, 'pending');
    return compareDigests(
      this.#members,
      expected,
      (stored, row: ClaimRow) => {
        this.#mix(stored, row.id, row, row.status);
        return null;
      },
      'the claims of the member differ from the journal',
    );
  }

  claimants(): Comparison<Claimant> {
    return compareRows(
      this.#claimants.values(),
      claimantKey,
      ({ offerId, memberId }, says): Fault => {
        const detail = `how often the member claimed offer ${offerId} ${says}`;
        return { seq: null, memberId, detail };
      },
    );
  }

  #apply(found: Exclude<OfferRecord, { type: 'offer.created' }>, offer: DerivedOffer) {
    const { seq, type, data } = found;
    const { id } = offer;
    if (type === 'offer.updated') {
      const { id: _, ...terms } = termsIn(found);
      this.#offers.set(id, { ...offer, terms: { ...offer.terms, ...terms } });
    } else if (type === 'offer.drawn') this.#offers.set(id, { ...offer, drawSeq: seq });
    else if (type === 'offer.claimed') {
      this.#offers.set(id, { ...offer, claimed: offer.claimed + data.quantity, lastSeq: seq });
      const key = claimantKey(data);
      this.#claimants.set(key, withClaim(this.#claimants.get(key), data));
      if (data.status === 'pending') this.#pending.set(seq, data);
      else this.#mix(this.#closed, seq, data, 'done');
    } else return this.#close(found, offer);
    return null;
  }

  #close(
    { seq, type, data }: RecordOf<'claim.delivered' | 'claim.rejected'>,
    offer: DerivedOffer,
  ): string | null {
    const { claimId, memberId, offerId, quantity } = data;
    const claim = this.#pending.get(claimId);
    if (!claim) return `record ${seq} is about claim ${claimId}, which is not pending`;
    const textOf = (one: Pick<Claimed, 'gave' | 'cost'>) => JSON.stringify([one.gave, one.cost]);
    const isSame =
      claim.memberId === memberId && claim.offerId === offerId && claim.quantity === quantity;
    if (!isSame || (type === 'claim.rejected' && textOf(data) !== textOf(claim))) {
      return `record ${seq} says something else than claim ${claimId}`;
    }
    this.#pending.delete(claimId);
    this.#mix(this.#closed, claimId, claim, type === 'claim.rejected' ? 'rejected' : 'done');
    if (type === 'claim.delivered') return null;
    const claimed = offer.claimed - quantity;
    this.#offers.set(offerId, { ...offer, claimed, lastSeq: seq });
    const key = claimantKey(data);
    const claimant = this.#claimants.get(key);
    if (claimant) this.#claimants.set(key, withoutClaim(claimant, claim));
    return null;
  }

  #mix(
    column: Column,
    id: number,
    { memberId, offerId, quantity }: Omit<ClaimRow, 'id' | 'status'>,
    status: string,
  ): void {
    column.mix(this.#members.of(memberId), digestOf(id, offerId, quantity, status));
  }
}

/** Without what every record may have besides. */
function termsIn<T extends 'offer.created' | 'offer.updated'>({ data }: RecordOf<T>) {
  const { occurredAt: _, onBehalfOf: __, erased: ___, ...terms } = data;
  return terms as RecordOf<T>['data'];
}
