import fc from 'fast-check';
import type { Command, CommandName, CommandOf } from '../../src/domain/commands.ts';
import { FIRST_KIND } from '../../src/domain/model.ts';
import type { OfferTerms } from '../../src/domain/offer.ts';
import { DEFAULT_TERMS } from '../../src/domain/rules/offers.ts';

/** Random histories of every command that enrols members, moves, holds or reverses points. */
export const REALM = 'acme';
const MAX = Number.MAX_SAFE_INTEGER;

export const command = <N extends CommandName>(
  type: N,
  rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
): CommandOf<N> =>
  ({ type, realmId: REALM, actor: 'test', idempotency: null, ...rest }) as unknown as CommandOf<N>;

export const MEMBERS = ['1', '2', '3', '9007199254740993'];

/** A realm with the first kind of points, and a kind that allows debt but no transfers. */
export const setUp: Command[] = [
  command('realm.create', { name: 'Acme', settings: {} }),
  command('kind.create', {
    kind: {
      ...FIRST_KIND,
      id: 'gems',
      isDefault: false,
      isTransferable: false,
      minimumBalance: -20,
      maximumBalance: 60,
    },
  }),
];

const offer = (offerId: string, terms: Partial<OfferTerms>): Command =>
  command('offer.create', { offerId, terms: { ...DEFAULT_TERMS, name: offerId, ...terms } });

/**
 * A reward, an article of which there are few, what only those get who have it, and a day's work
 * that somebody looks at.
 */
const offers: Command[] = [
  offer('daily', {
    gives: { points: 10 },
    perMember: { times: 2, period: 'day' },
    streak: { bonus: [0, 5], graceDays: 1 },
  }),
  offer('hat', {
    costs: { points: 15 },
    gives: { gems: 3 },
    stock: 4,
    delivery: 'manual',
    perMember: { times: 3, period: 'ever' },
  }),
  offer('mix', {
    costs: { gems: 5 },
    gives: { points: 7, gems: 1 },
    requires: { minimumBalance: { points: 1 }, claimed: 'hat' },
  }),
  offer('quest', { delivery: 'manual' }),
  offer('work', {
    gives: { points: 4 },
    delivery: 'manual',
    perMember: { times: 2, period: 'day' },
    streak: { bonus: [0, 3], graceDays: 0 },
  }),
];

// Few members and small numbers, so that commands affect each other; one id beyond 2^53.
const memberId = fc.constantFrom(...MEMBERS);
const tokens = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 50 }) },
  { weight: 1, arbitrary: fc.constantFrom(MAX, MAX - 1) },
);
const realmPointId = fc.constantFrom(null, null, 'points', 'gems');
const points = { description: null };
const recordNumber = fc.integer({ min: 3, max: 60 });
/** Where most claims are. */
const claimId = fc.integer({ min: 14, max: 32 });
const someTokens = fc.option(fc.integer({ min: 1, max: 30 }));

const offerId = fc.constantFrom('daily', 'hat', 'hat', 'mix', 'quest', 'work');
const DAWN = '1970-01-02T00:00:00.000Z';
const changes: fc.Arbitrary<Partial<OfferTerms>> = fc.oneof(
  fc.record({ stock: fc.constantFrom(2, 4, null) }),
  fc.record({ costs: fc.constantFrom({ points: 15 }, { points: 20 }) }),
  fc.record({ archived: fc.boolean() }),
  fc.record({ opensAt: fc.constantFrom(null, DAWN) }),
  fc.record({ closesAt: fc.constantFrom(null, null, DAWN) }),
);
/** Stands for the last record that changed who has claimed the offer that is drawn. */
export const LATEST = -1;
const NO_WINNERS = { winners: [], seed: 'x', tickets: 0, listHash: '', method: 'x' };
const someone = fc.record({ memberId });
const upTo = fc.constantFrom(undefined, undefined, false, true);
const reference = fc.constantFrom(undefined, undefined, 'order-1', 'order-2');
const moving = fc.record({ memberId, tokens, realmPointId, reference, ...constant(points) });
const spending = fc.tuple(moving, upTo).map(([m, most]) => ({ ...m, upTo: most }));

function constant<T extends object>(value: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  const entries = Object.entries(value).map(([key, item]) => [key, fc.constant(item)]);
  return Object.fromEntries(entries);
}

const credit = fc
  .tuple(moving, fc.constantFrom(1, 1, 0))
  .map(([m, factor]) => ({ ...m, tokens: factor * m.tokens }));
const debit = spending.map((m) => ({ ...m, tokens: -m.tokens }));
const transfer = fc.tuple(spending, memberId).map(([m, recipientId]) => ({ ...m, recipientId }));
const entry = fc.oneof(credit, credit, debit, transfer);
// Beyond the floors and the ceiling of gems, too.
const opening = fc.record({
  realmPointId: fc.constantFrom('points', 'gems'),
  tokens: fc.oneof(fc.integer({ min: -25, max: 70 }), fc.constant(0)),
});
const enrolment = fc
  .record({
    memberId: fc.option(memberId, { freq: 3 }),
    balances: fc.uniqueArray(opening, { maxLength: 2, selector: (one) => one.realmPointId }),
  })
  .map((one) => ({ ...one, fields: {}, wallets: [] }));

const offerActions: fc.WeightedArbitrary<Command>[] = [
  {
    weight: 8,
    arbitrary: fc
      .record({
        offerId,
        memberId,
        quantity: fc.constantFrom(1, 1, 2),
        expectedCosts: fc.constantFrom(null, null, { points: 15 }),
        reference,
      })
      .map((one) => command('offer.claim', one)),
  },
  { weight: 2, arbitrary: claimId.map((id) => command('claim.deliver', { claimId: id })) },
  { weight: 3, arbitrary: claimId.map((id) => command('claim.reject', { claimId: id })) },
  {
    weight: 1,
    arbitrary: fc.record({ offerId, changes }).map((one) => command('offer.update', one)),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ offerId, asOf: fc.constantFrom(0, LATEST, LATEST) })
      .map((one) => command('offer.draw', { ...one, drawn: NO_WINNERS })),
  },
];

const anyAction: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: someone.map((m) => command('member.create', { ...m, fields: {}, wallets: [] })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ memberId, status: fc.constantFrom('active' as const, 'frozen' as const) })
      .map((m) => command('member.update', { ...m, fields: {} })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ memberId, forfeit: fc.boolean(), erase: fc.boolean() })
      .map((m) => command('member.remove', m)),
  },
  {
    weight: 6,
    arbitrary: fc.oneof(moving, moving, debit).map((m) => command('points.change', m)),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ memberId, displayName: fc.constantFrom(undefined, null, 'A', 'B') })
      .map(({ displayName, ...m }) =>
        command('member.put', {
          ...m,
          fields: displayName === undefined ? {} : { displayName },
          wallets: [],
        }),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        atomic: fc.boolean(),
        opensPresent: fc.boolean(),
        members: fc.array(enrolment, { minLength: 1, maxLength: 4 }),
      })
      .map((batch) => command('member.batch', { ...batch, ...points })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ atomic: fc.boolean(), entries: fc.array(entry, { minLength: 1, maxLength: 4 }) })
      .map((batch) => command('points.batch', batch)),
  },
  {
    weight: 4,
    arbitrary: transfer.map((m) => command('points.transfer', m)),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(moving, fc.integer({ min: 1, max: 5 }))
      .map(([m, expiresInSeconds]) => command('hold.create', { ...m, expiresInSeconds })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        holdId: recordNumber,
        tokens: someTokens,
        recipientId: fc.option(memberId),
        reference,
      })
      .map((hold) => command('hold.capture', hold)),
  },
  { weight: 1, arbitrary: recordNumber.map((holdId) => command('hold.release', { holdId })) },
  { weight: 1, arbitrary: recordNumber.map((holdId) => command('hold.expire', { holdId })) },
  ...offerActions,
  {
    weight: 4,
    arbitrary: fc
      .record({ transactionId: recordNumber, tokens: someTokens, force: fc.boolean(), reference })
      .map((one) => command('points.reverse', { ...one, ...points })),
  },
);

/** Now and then with one of few keys, so that some are sent again. */
const keyed = (action: fc.Arbitrary<Command>): fc.Arbitrary<Command> =>
  fc.tuple(action, fc.constantFrom(...Array(12).fill(null), 'a', 'b', 'c')).map(([one, key]) => {
    const idempotency = key === null ? null : { key, fingerprint: JSON.stringify(one) };
    return { ...one, idempotency } as Command;
  });

export interface Batch {
  /** The time since the previous batch. */
  seconds: number;
  commands: Command[];
}

/** Fifty commands in batches, each batch in its own transaction; a day passes between some. */
const historyOf = (first: Command[], action: fc.Arbitrary<Command>, pause: fc.Arbitrary<number>) =>
  fc
    .tuple(
      fc.array(keyed(action), { minLength: 50, maxLength: 50 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 12, maxLength: 12 }),
      fc.array(pause, { minLength: 50, maxLength: 50 }),
    )
    .map(([commands, sizes, pauses]) => {
      const batches: Batch[] = [{ seconds: 0, commands: first }];
      for (let at = 0; at < commands.length; ) {
        const size = sizes[batches.length % sizes.length] ?? 1;
        const seconds = pauses[batches.length % pauses.length] ?? 0;
        batches.push({ seconds, commands: commands.slice(at, at + size) });
        at += size;
      }
      return batches;
    });

const seconds = fc.integer({ min: 0, max: 3 });
const day = fc.constant(86_400);

/** Of everything. */
export const history: fc.Arbitrary<Batch[]> = historyOf(
  offers,
  anyAction,
  fc.oneof({ weight: 9, arbitrary: seconds }, day),
);

const funded = MEMBERS.flatMap((id): Command[] => [
  command('member.create', { memberId: id, fields: {}, wallets: [] }),
  command('points.change', { memberId: id, tokens: 70, realmPointId: null, description: null }),
]);

/** Of members who have points, and mostly of what they claim. */
export const offerHistory: fc.Arbitrary<Batch[]> = historyOf(
  [...funded, ...offers],
  fc.oneof(
    { weight: 1, arbitrary: anyAction },
    { weight: 9, arbitrary: fc.oneof(...offerActions) },
  ),
  fc.oneof(seconds, day),
);
