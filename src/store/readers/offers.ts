import type { Claim, ClaimRow, Offer, Tickets } from '../../domain/offer.ts';
import type { ClaimParams } from '../../domain/queries.ts';
import { claimOf } from '../../domain/rules/claims.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { offerStatus } from '../../domain/rules/offers.ts';
import { jsonBytes, type Page, type PageUpTo, pageOf } from '../../domain/rules/pages.ts';
import { rowWithKey, selectRows } from '../rows.ts';
import {
  all,
  first,
  firstOrNull,
  type Operation,
  query,
  type Statement,
  together,
} from '../statement.ts';
import { tables } from '../tables.ts';
import { askPresent } from './members.ts';
import type { Readers } from './readers.ts';

/**
 * The rows that a page with filters looks at. It then ends early, so that a list of what is rare is
 * no walk over the realm.
 */
const OFFERS_LOOKED_AT = 500;
const CLAIMS_LOOKED_AT = 2_000;

type OfOffer = { realmId: string; offerId: string };
type Range = { realmId: string; before: number; limit: number };

const newest = <More extends object = Record<never, never>>(index: string, condition: string) =>
  selectRows<ClaimRow, Range & More>(
    tables.claims,
    ({ using }) =>
      `${index && using(index)} WHERE realm_id = :realmId AND claim_id < :before ${condition}
       ORDER BY claim_id DESC LIMIT :limit`,
  );

const find = {
  offer: rowWithKey<Offer, OfOffer>(tables.offers),
  offers: selectRows<Offer, { realmId: string; after: string; limit: number }>(
    tables.offers,
    'WHERE realm_id = :realmId AND offer_id > :after ORDER BY offer_id LIMIT :limit',
  ),
  claim: rowWithKey<ClaimRow, { realmId: string; claimId: number }>(tables.claims),
  ofMember: newest<{ memberId: string }>('claims_by_member', 'AND member_id = :memberId'),
  ofOffer: newest<{ offerId: string }>('claims_by_offer', 'AND offer_id = :offerId'),
  notDone: newest<{ status: string }>(
    'claims_not_done',
    "AND status = :status AND status <> 'done'",
  ),
  claims: newest('', ''),
  records: selectRows<JournalRecord, { realmId: string; seqs: readonly number[] }>(
    tables.records,
    ({ isIn }) => `WHERE realm_id = :realmId AND ${isIn('seq', ':seqs', 'bigint')}`,
  ),
  tickets: query<Tickets, OfOffer & { after: number; limit: number }>(
    ({ using }) =>
      `SELECT claim_id AS id, CAST(member_id AS TEXT) AS "memberId", quantity
       FROM claims ${using('claims_by_offer')}
       WHERE realm_id = :realmId AND offer_id = :offerId AND claim_id > :after
         AND status <> 'rejected' ORDER BY claim_id LIMIT :limit`,
  ),
};

/** Those of the rows that fit, and where the list goes on. All rows were found but for `looked`. */
function fitting<Row, Key>(
  found: readonly Row[],
  { limit, looked }: { limit: number; looked: number },
  fits: (row: Row) => boolean,
  keyOf: (row: Row) => Key,
): PageUpTo<Row, Key> {
  const { rows, hasMore }: Page<Row> = pageOf(found.filter(fits), limit, jsonBytes);
  const last = hasMore ? rows.at(-1) : found.length < looked ? undefined : found.at(-1);
  return { rows, next: last === undefined ? null : keyOf(last) };
}

type AnyClaims = ClaimParams & { memberId: string | null };

/** The statement that finds the fewest claims besides those that are asked for. */
function sourceOf({ memberId, offerId, status }: AnyClaims): Statement<ClaimRow, never> {
  if (memberId !== null) return find.ofMember;
  if (offerId !== null) return find.ofOffer;
  return status === null || status === 'done' ? find.claims : find.notDone;
}

function* claimPage(params: AnyClaims): Operation<PageUpTo<Claim, number>> {
  const { realmId, memberId, offerId, status, limit } = params;
  const isFiltered = [memberId, offerId, status].some((filter) => filter !== null);
  const looked = isFiltered ? CLAIMS_LOOKED_AT : limit + 1;
  const before = params.before ?? Number.MAX_SAFE_INTEGER;
  const which = { realmId, memberId, offerId, status, before, limit: looked };
  const found = yield* all(sourceOf(params) as Statement<ClaimRow, typeof which>, which);
  const fits = (row: ClaimRow): boolean =>
    (offerId === null || row.offerId === offerId) && (status === null || row.status === status);
  const page = fitting(found, { limit, looked }, fits, ({ id }) => id);
  const records = yield* all(find.records, { realmId, seqs: page.rows.map(({ id }) => id) });
  const recordOf = new Map(records.map((record) => [record.seq, record]));
  const rows = page.rows.flatMap(({ id, status: now }) => {
    const record = recordOf.get(id);
    return (record && claimOf(record, now)) ?? [];
  });
  return { rows, next: page.next };
}

export const offerReaders = {
  offer: (which) => firstOrNull(find.offer, which),
  *offers({ realmId, after, status, limit, now }) {
    const looked = status === null ? limit + 1 : Math.max(limit + 1, OFFERS_LOOKED_AT);
    const found = yield* all(find.offers, { realmId, after: after ?? '', limit: looked });
    const fits = (offer: Offer) => status === null || offerStatus(offer, now) === status;
    return fitting(found, { limit, looked }, fits, ({ id }) => id);
  },
  *claim({ realmId, claimId }) {
    const row = yield* first(find.claim, { realmId, claimId });
    if (!row) return null;
    const [record] = yield* all(find.records, { realmId, seqs: [claimId] });
    return record ? claimOf(record, row.status) : null;
  },
  claims: claimPage,
  *claimsOf(params) {
    const { realmId, memberId } = params;
    const [[present]] = yield* together(askPresent(realmId, memberId));
    return present ? yield* claimPage(params) : null;
  },
  tickets: (params) => all(find.tickets, params),
} satisfies Partial<Readers>;
