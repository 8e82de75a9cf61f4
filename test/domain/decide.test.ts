import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Command, CommandName, CommandOf, Outcome } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/decide.rules.ts';
import {
  chainHash,
  GENESIS,
  type JournalRecord,
  recordText,
} from '../../src/domain/journal.rules.ts';
import { needsOf } from '../../src/domain/needs.rules.ts';
import type { Store } from '../../src/domain/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { Model } from './model.ts';

const REALM = 'acme';
const MAX = Number.MAX_SAFE_INTEGER;
/** `LONG=1` is for nights: the same properties over many more histories. */
const RUNS = process.env.LONG ? 20_000 : 300;

const command = <N extends CommandName>(
  type: N,
  rest: Omit<CommandOf<N>, 'type' | 'realmId' | 'actor' | 'idempotency'>,
  idempotency: Command['idempotency'] = null,
) => ({ type, realmId: REALM, actor: 'test', idempotency, ...rest }) as unknown as CommandOf<N>;

const points = { realmPointId: null, description: null };
// Few members, so that histories meet; one id beyond 2^53.
const memberId = fc.constantFrom('1', '2', '3', '9007199254740993');
const tokens = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(MAX, MAX - 1));
const idempotency = fc.option(
  fc.record({ key: fc.constantFrom('a', 'b', 'c'), fingerprint: fc.constant('') }),
  { freq: 3 },
);

const anyCommand: fc.Arbitrary<Command> = fc
  .tuple(
    fc.oneof(
      {
        weight: 2,
        arbitrary: memberId.map((id) =>
          command('member.create', { memberId: id, fields: {}, wallets: [] }),
        ),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(memberId, fc.constantFrom('active' as const, 'frozen' as const))
          .map(([id, status]) => command('member.update', { memberId: id, fields: {}, status })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(memberId, fc.boolean())
          .map(([id, forfeit]) => command('member.remove', { memberId: id, forfeit })),
      },
      {
        weight: 5,
        arbitrary: fc
          .tuple(memberId, tokens, fc.boolean())
          .map(([id, n, add]) =>
            command('points.change', { memberId: id, tokens: add ? n : -n, ...points }),
          ),
      },
      {
        weight: 5,
        arbitrary: fc
          .tuple(memberId, memberId, tokens)
          .map(([id, to, n]) =>
            command('points.transfer', { memberId: id, recipientId: to, tokens: n, ...points }),
          ),
      },
    ),
    idempotency,
  )
  .map(([one, idem]) => {
    const fingerprint = JSON.stringify(one);
    return { ...one, idempotency: idem && { key: idem.key, fingerprint } } as Command;
  });

/** A history: batches of commands, each batch one transaction. */
const history = fc.array(fc.array(anyCommand, { minLength: 1, maxLength: 8 }), { maxLength: 12 });

function said(outcome: Outcome): string {
  if ('refusal' in outcome) return outcome.refusal.code;
  if ('fault' in outcome) return outcome.fault;
  const { newBalance, senderBalance, recipientBalance } = (outcome.answer ?? {}) as Record<
    string,
    number
  >;
  return ['ok', newBalance, senderBalance, recipientBalance]
    .filter((part) => part !== undefined)
    .join(' ');
}

async function play(
  store: Store,
  batches: Command[][],
  each: (said: string, one: Command) => void,
) {
  const records: JournalRecord[] = [];
  let now = 1_000;
  for (const batch of [[command('realm.create', { name: 'Acme', settings: {} })], ...batches]) {
    now += 10;
    const decision = await store.commit(needsOf(batch), (facts) => decide(facts, batch, now));
    records.push(...decision.changes.flatMap((changes) => changes.records));
    if (batch[0]?.type === 'realm.create') continue;
    for (const [index, one] of batch.entries())
      each(said(decision.outcomes[index] as Outcome), one);
  }
  return records;
}

/** What the journal alone says every balance is. */
function sums(records: JournalRecord[]): Map<string, number> {
  const totals = new Map<string, number>();
  const add = (id: string, n: number) => totals.set(id, (totals.get(id) ?? 0) + n);
  for (const { type, data } of records) {
    const { memberId: id, recipientId, tokens: n } = JSON.parse(data);
    if (type === 'points.added') add(id, n);
    if (type === 'points.subtracted') add(id, -n);
    if (type === 'points.transferred') {
      add(id, -n);
      add(recipientId, n);
    }
  }
  return totals;
}

test('any history: outcomes as the model says, balances as the journal adds up', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (batches) => {
      const store = openSqliteStore(':memory:');
      const model = new Model();
      const records = await play(store, batches, (outcome, one) => {
        assert.equal(outcome, model.apply(one), JSON.stringify(one));
      });
      const totals = sums(records);
      for (const [id, balance] of model.balances) {
        assert.equal(totals.get(id) ?? 0, balance);
        const member = await store.reader.member({ realmId: REALM, memberId: id });
        const gone = model.statuses.get(id) === 'removed';
        assert.equal(member?.status ?? 'removed', model.statuses.get(id));
        if (!gone) assert.equal(member?.balances.points, balance);
        assert.ok(balance >= 0 && balance <= MAX);
      }
      let head = GENESIS;
      records.forEach((record, index) => {
        assert.equal(record.seq, index + 1, 'seq has no gaps');
        head = chainHash(head, recordText(REALM, record));
        assert.equal(record.hash, head);
      });
      await store.close();
    }),
    { numRuns: RUNS },
  );
});

test('transfers create and destroy nothing', async () => {
  const transfers = fc.array(
    fc
      .tuple(memberId, memberId, tokens)
      .map(([id, to, n]) =>
        command('points.transfer', { memberId: id, recipientId: to, tokens: n, ...points }),
      ),
    { minLength: 1, maxLength: 30 },
  );
  const ids = ['1', '2', '3', '9007199254740993'];
  const setup: Command[] = ids.flatMap((id) => [
    command('member.create', { memberId: id, fields: {}, wallets: [] }),
    command('points.change', { memberId: id, tokens: 100, ...points }),
  ]);
  await fc.assert(
    fc.asyncProperty(transfers, async (batch) => {
      const store = openSqliteStore(':memory:');
      await play(store, [setup, batch], () => {});
      const members = await Promise.all(
        ids.map((id) => store.reader.member({ realmId: REALM, memberId: id })),
      );
      const sum = members.reduce((total, member) => total + (member?.balances.points ?? 0), 0);
      assert.equal(sum, 400);
      await store.close();
    }),
    { numRuns: RUNS },
  );
});

test('the split of a history into batches changes no outcome', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (batches) => {
      const [grouped, single] = [[], []] as [string[], string[]];
      const one = openSqliteStore(':memory:');
      const many = openSqliteStore(':memory:');
      await play(one, batches, (outcome) => grouped.push(outcome));
      await play(
        many,
        batches.flat().map((c) => [c]),
        (outcome) => single.push(outcome),
      );
      assert.deepEqual(grouped, single);
      await one.close();
      await many.close();
    }),
    { numRuns: RUNS },
  );
});
