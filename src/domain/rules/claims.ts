import type { CommandOf } from '../commands.ts';
import { MAX_POINTS } from '../model.ts';
import { amountIn } from '../movements.ts';
import type { Amounts, Claim, Claimant, ClaimRow, ClaimStatus, Offer } from '../offer.ts';
import { decodeRecord, type RecordOf } from '../records.ts';
import { present, Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { dayIn, nextStart, periodOf } from './calendar.ts';
import {
  claimantKey,
  countedDay,
  countIn,
  streakOn,
  withClaim,
  withoutClaim,
} from './claimants.ts';
import { instantOf, type JournalRecord } from './journal.ts';
import { enrol } from './members.ts';
import { called, namesOfKinds } from './naming.ts';
import { aboutOffer, offerStatus, presentOffer, stockLeft } from './offers.ts';
import { canEnrol, changeBalance, refuseFrozen, refuseOverdraft, refuseTooMany } from './points.ts';
import { refuseGone } from './reversals.ts';
import { iso } from './time.ts';

/** A member takes an offer: its points, stock and count change together. */
export function claimOffer(books: Books, command: CommandOf<'offer.claim'>): Claim {
  const { offerId, memberId, quantity } = command;
  const offer = presentOffer(books, offerId);
  const { terms } = offer;
  const isNew = canEnrol(books, memberId);
  if (!isNew) books.requireMember(memberId);
  refuseUnavailable(books, offer, quantity);
  if (isNew) enrol(books, memberId, {});
  refuseFrozen(books, memberId);
  const { timeZone } = books.realm.settings;
  const key = claimantKey(command);
  const before = books.claimants.get(key);
  const day = countedDay(before, dayIn(timeZone, books.now));
  refuseFurther(books, offer, command, before, day);
  refuseUnmet(books, offer, memberId);
  refuseOtherPrice(books, offer, command.expectedCosts);
  const streak = terms.streak && streakOn(before, terms.streak, day, timeZone);
  const isFirst = countIn(before, 'day', day) === 0;
  const gave = gains(offer, quantity, isFirst ? (streak ?? 0) : 0);
  const cost = multiplied(terms.costs, quantity);
  const balances = movePoints(books, memberId, gave, cost);
  const row = { offerId, memberId, quantity };
  const status: ClaimStatus = terms.delivery === 'manual' ? 'pending' : 'done';
  const period = terms.perMember && periodOf(terms.perMember.period, day);
  const { reference, metadata } = command;
  const counted = { ...row, day, streak };
  const seq = books.record('offer.claimed', {
    ...{ offerId, offerName: terms.name, memberId, quantity },
    ...{ status, gave, cost, balances, period, day, streak },
    ...(reference !== undefined && { reference }),
    ...(metadata !== undefined && { metadata }),
  });
  books.offers.set(offerId, { ...offer, claimed: offer.claimed + quantity, lastSeq: seq });
  books.claims.set(String(seq), { id: seq, ...row, status });
  books.claimants.set(key, withClaim(before, counted));
  return claimAt(books, seq);
}

/** What a pending claim grants was delivered. It moves no points, so its member may be gone. */
export function deliverClaim(books: Books, { claimId }: CommandOf<'claim.deliver'>): Claim {
  const row = pendingClaim(books, claimId);
  const { memberId, offerId, quantity } = row;
  books.claims.set(String(claimId), { ...row, status: 'done' });
  books.record('claim.delivered', { claimId, memberId, offerId, quantity });
  return claimAt(books, claimId, 'done');
}

/** Takes a pending claim back, with its points both ways, its stock and its member's count. */
export function rejectClaim(books: Books, { claimId }: CommandOf<'claim.reject'>): Claim {
  const row = pendingClaim(books, claimId);
  const { memberId, offerId, quantity } = row;
  const offer = presentOffer(books, offerId);
  // Who has taken part in a draw is final.
  if (offer.drawSeq !== null) throw new Refused('offer-drawn', aboutOffer(offer));
  refuseGone(books, memberId, claimId, `claim ${claimId} cannot be rejected`);
  refuseFrozen(books, memberId);
  const { data } = claimRecord(books, claimId);
  const { offerName, gave, cost, day, reference } = data;
  const balances = movePointsBack(books, memberId, data);
  books.claims.set(String(claimId), { ...row, status: 'rejected' });
  const seq = books.record('claim.rejected', {
    ...{ memberId, offerId, offerName, claimId, quantity, gave, cost, balances },
    ...(reference !== undefined && { reference }),
  });
  books.offers.set(offerId, { ...offer, claimed: offer.claimed - quantity, lastSeq: seq });
  const key = claimantKey(row);
  const claimant = books.claimants.get(key);
  if (claimant) books.claimants.set(key, withoutClaim(claimant, { quantity, day }));
  return claimAt(books, claimId, 'rejected');
}

function pendingClaim(books: Books, claimId: number): ClaimRow {
  const row = present(books.claims.get(String(claimId)), 'claim-not-found', { claimId });
  if (row.status === 'pending') return row;
  throw new Refused('claim-closed', { claimId, claimStatus: row.status });
}

function refuseUnavailable(books: Books, offer: Offer, quantity: number): void {
  const about = aboutOffer(offer);
  if (offer.drawSeq !== null) throw new Refused('offer-drawn', about);
  const status = offerStatus(offer, books.now);
  if (status !== 'open' && status !== 'soldOut') {
    const { opensAt, closesAt } = offer.terms;
    const when = { opensAt, closesAt, timeZone: books.realm.settings.timeZone };
    throw new Refused('offer-closed', { ...about, ...when, offerStatus: status });
  }
  const left = stockLeft(offer);
  if (left === null || left >= quantity) return;
  throw new Refused('offer-sold-out', { ...about, stockLeft: left });
}

/** `nextAt` is when the next period begins, unless the offer is closed by then. */
function refuseFurther(
  books: Books,
  offer: Offer,
  { memberId, quantity }: CommandOf<'offer.claim'>,
  claimant: Claimant | undefined,
  day: string,
): void {
  const { perMember, closesAt } = offer.terms;
  if (perMember === null) return;
  const { times: limit, period } = perMember;
  const left = Math.max(0, limit - countIn(claimant, period, day));
  if (quantity <= left) return;
  const { timeZone } = books.realm.settings;
  const next = quantity > limit ? null : nextStart(timeZone, period, day);
  const isInTime = next !== null && (closesAt === null || next < Date.parse(closesAt));
  const nextAt = isInTime ? iso(next) : null;
  const about = { ...aboutOffer(offer), ...called(books, memberId), left, period, timeZone };
  throw new Refused('offer-limit-reached', { ...about, limit, nextAt });
}

function refuseUnmet(books: Books, offer: Offer, memberId: string): void {
  const { minimumBalance = {}, claimed } = offer.terms.requires ?? {};
  const refused = (requirement: object, names: object): Refused => {
    const about = { ...aboutOffer(offer), ...called(books, memberId), ...names };
    return new Refused('offer-requirement', { ...about, requirement });
  };
  for (const [realmPointId, least] of Object.entries(minimumBalance)) {
    if (books.balances.of(memberId, realmPointId) >= least) continue;
    const lacks = { [realmPointId]: least };
    throw refused({ minimumBalance: lacks }, { kinds: namesOfKinds(books, lacks) });
  }
  if (claimed === undefined) return;
  const claimant = books.claimants.get(claimantKey({ offerId: claimed, memberId }));
  if (claimant?.total) return;
  throw refused({ claimed }, { requires: presentOffer(books, claimed).terms.name });
}

function refuseOtherPrice(books: Books, offer: Offer, expected: Amounts | null): void {
  const { costs } = offer.terms;
  const kinds = Object.keys(costs);
  const isSame =
    expected === null ||
    (Object.keys(expected).length === kinds.length &&
      kinds.every((kind) => amountIn(expected, kind) === amountIn(costs, kind)));
  if (isSame) return;
  const kindNames = { kinds: namesOfKinds(books, costs) };
  throw new Refused('price-changed', { ...aboutOffer(offer), costs, ...kindNames });
}

function multiplied(amounts: Amounts, quantity: number): Amounts {
  if (quantity === 1) return amounts;
  return Object.fromEntries(
    Object.entries(amounts).map(([kind, tokens]) => [kind, tokens * quantity]),
  );
}

/** The bonus of a streak is added once, to the first kind. */
function gains({ terms: { gives, streak: terms } }: Offer, quantity: number, streak: number) {
  const gave = multiplied(gives, quantity);
  const [first] = Object.keys(gave);
  if (!terms || streak === 0 || first === undefined) return gave;
  const bonus = terms.bonus[Math.min(streak, terms.bonus.length) - 1] ?? 0;
  return { ...gave, [first]: amountIn(gave, first) + bonus };
}

/** Returns the balances afterwards. What it costs must be there before it gives anything. */
function movePoints(books: Books, memberId: string, gave: Amounts, cost: Amounts): Amounts {
  const balances: Amounts = {};
  for (const amounts of [cost, gave]) {
    for (const id of Object.keys(amounts)) balances[id] = 0;
    for (const tokens of Object.values(amounts)) {
      refuseTooMany(books, tokens);
      if (tokens <= MAX_POINTS) continue;
      throw new Refused('too-many-tokens', { limit: MAX_POINTS, requested: tokens });
    }
  }
  for (const id of Object.keys(balances)) {
    const kind = books.movableKind(id);
    const spent = amountIn(cost, id);
    if (spent > 0) refuseOverdraft(books, memberId, kind, spent);
    balances[id] = changeBalance(books, memberId, kind, amountIn(gave, id) - spent);
  }
  return balances;
}

/** Points that the member has spent since cannot be taken back, as with a reversal. */
function movePointsBack(
  books: Books,
  memberId: string,
  { gave, cost, balances }: RecordOf<'offer.claimed'>['data'],
): Amounts {
  const after = Object.keys(balances).map((id): [string, number] => {
    const kind = books.movableKind(id);
    const tokens = amountIn(cost, id) - amountIn(gave, id);
    const floor = Math.max(0, kind.minimumBalance);
    if (tokens < 0) refuseOverdraft(books, memberId, kind, -tokens, floor);
    return [id, changeBalance(books, memberId, kind, tokens, false)];
  });
  return Object.fromEntries(after);
}

function claimRecord(books: Books, claimId: number): RecordOf<'offer.claimed'> {
  const record = books.movementAt(claimId);
  if (record?.type === 'offer.claimed') return record;
  throw new Error(`record ${claimId} was not loaded, or is no claim`);
}

/** A claim by its record, with the status that it had then unless another one is given. */
export function claimAt(books: Books, claimId: number, status?: ClaimStatus): Claim {
  const stored = books.recordAt(claimId);
  const at = stored && 'hash' in stored ? stored.at : books.at;
  const record = claimRecord(books, claimId);
  return viewOf(record, { at, actor: stored?.actor ?? '', status });
}

/** The same from the journal; null if the record is no claim. */
export function claimOf(record: Omit<JournalRecord, 'hash'>, status: ClaimStatus): Claim | null {
  const decoded = decodeRecord(record, ['offer.claimed']);
  return decoded && viewOf(decoded, { ...record, status });
}

function viewOf(
  { seq, data }: RecordOf<'offer.claimed'>,
  { at, actor, status }: { at: number; actor: string; status: ClaimStatus | undefined },
): Claim {
  const { offerId, memberId, quantity, gave, cost, balances, period, streak } = data;
  const { onBehalfOf, reference, metadata, erased } = data;
  return {
    claimId: seq,
    ...{ offerId, memberId, quantity, status: status ?? data.status },
    ...{ gave, cost, balances, period, streak, at: instantOf(at, data), actor },
    ...(onBehalfOf !== undefined && { onBehalfOf }),
    ...(reference !== undefined && { reference }),
    ...(metadata && { metadata }),
    ...(erased && { erased }),
  };
}
