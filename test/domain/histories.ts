import fc from 'fast-check';
import type { Command, CommandName, CommandOf } from '../../src/domain/commands.ts';
import { FIRST_KIND } from '../../src/domain/model.ts';

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

// Few members and small numbers, so that commands affect each other; one id beyond 2^53.
const memberId = fc.constantFrom(...MEMBERS);
const tokens = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 50 }) },
  { weight: 1, arbitrary: fc.constantFrom(MAX, MAX - 1) },
);
const realmPointId = fc.constantFrom(null, null, 'points', 'gems');
const points = { description: null };
const recordNumber = fc.integer({ min: 3, max: 60 });
const someTokens = fc.option(fc.integer({ min: 1, max: 30 }));

const someone = fc.record({ memberId });
const moving = fc.record({ memberId, tokens, realmPointId, ...constant(points) });

function constant<T extends object>(value: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  const entries = Object.entries(value).map(([key, item]) => [key, fc.constant(item)]);
  return Object.fromEntries(entries);
}

const entry = fc
  .tuple(moving, fc.constantFrom(1, 1, -1, 0))
  .map(([m, sign]) => ({ ...m, tokens: sign * m.tokens }));
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
    arbitrary: fc
      .tuple(moving, fc.constantFrom(1, 1, -1))
      .map(([m, sign]) => command('points.change', { ...m, tokens: sign * m.tokens })),
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
    arbitrary: fc
      .tuple(moving, memberId)
      .map(([m, recipientId]) => command('points.transfer', { ...m, recipientId })),
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
      .record({ holdId: recordNumber, tokens: someTokens, recipientId: fc.option(memberId) })
      .map((hold) => command('hold.capture', hold)),
  },
  { weight: 1, arbitrary: recordNumber.map((holdId) => command('hold.release', { holdId })) },
  { weight: 1, arbitrary: recordNumber.map((holdId) => command('hold.expire', { holdId })) },
  {
    weight: 4,
    arbitrary: fc
      .record({ transactionId: recordNumber, tokens: someTokens, force: fc.boolean() })
      .map((one) => command('points.reverse', { ...one, ...points })),
  },
);

const anyCommand: fc.Arbitrary<Command> = fc
  .tuple(anyAction, fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 4 }))
  .map(([action, key]) => {
    const idempotency = key === null ? null : { key, fingerprint: JSON.stringify(action) };
    return { ...action, idempotency } as Command;
  });

export interface Batch {
  /** The time since the previous batch. */
  seconds: number;
  commands: Command[];
}

/** Fifty commands in batches, each batch in its own transaction. */
export const history: fc.Arbitrary<Batch[]> = fc
  .tuple(
    fc.array(anyCommand, { minLength: 50, maxLength: 50 }),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 12, maxLength: 12 }),
    fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 50, maxLength: 50 }),
  )
  .map(([commands, sizes, pauses]) => {
    const batches: Batch[] = [];
    for (let at = 0; at < commands.length; ) {
      const size = sizes[batches.length % sizes.length] ?? 1;
      const seconds = pauses[batches.length % pauses.length] ?? 0;
      batches.push({ seconds, commands: commands.slice(at, at + size) });
      at += size;
    }
    return batches;
  });
