import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Command, Outcome } from '../../src/domain/commands.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { answerOf, create, credit } from '../support/commands.ts';
import { newDatabase } from '../support/database.ts';
import { verdictOf } from '../support/verdict.ts';

/** A process decides by memory while it alone writes to a realm, and nobody notices. */
const database = await newDatabase();
after(() => database.drop());

async function nodes(t: TestContext): Promise<[Ledger, Ledger]> {
  const open = async () => {
    const ledger = await database.ledger();
    t.after(() => ledger.close());
    return ledger;
  };
  return [await open(), await open()];
}

/** A realm that the node has written to for long enough to remember it. */
async function warmUp(node: Ledger, realmId: string): Promise<void> {
  answerOf(await node.execute(create(realmId)));
  for (let round = 1; round <= 20; round++) {
    assert.equal(answerOf(await node.execute(credit(realmId))).newBalance, round);
  }
}

const run = (node: Ledger, command: Command): Promise<Outcome> => node.execute(command as never);
const refusalOf = (outcome: Outcome): string | undefined =>
  'refusal' in outcome ? outcome.refusal.code : undefined;

async function isSound(node: Ledger, realmId: string): Promise<void> {
  assert.equal((await verdictOf(node, realmId))?.ok, true);
}

test('points that another node took are gone', async (t) => {
  const [here, there] = await nodes(t);
  await warmUp(here, 'spent');
  const spend = { ...credit('spent'), tokens: -15 };
  assert.equal(answerOf(await there.execute(spend)).newBalance, 5);
  assert.equal(refusalOf(await here.execute(spend)), 'insufficient-points');
  assert.equal(answerOf(await here.execute(credit('spent'))).newBalance, 6);
  await isSound(here, 'spent');
});

test('a member that another node froze is frozen, also in a batch with others', async (t) => {
  const [here, there] = await nodes(t);
  await warmUp(here, 'frozen');
  await warmUp(here, 'warm');
  const base = { actor: 'test', idempotency: null, realmId: 'frozen' };
  const freeze = { ...base, type: 'member.update', memberId: '1', fields: {}, status: 'frozen' };
  answerOf(await run(there, freeze as Command));
  const outcomes = await Promise.all([
    here.execute(credit('warm')),
    here.execute(credit('frozen')),
    here.execute(credit('warm')),
  ]);
  assert.deepEqual(outcomes.map(refusalOf), [undefined, 'member-frozen', undefined]);
  assert.equal(answerOf(outcomes[2]).newBalance, 22);
});

test('what another node settled holds', async (t) => {
  const [here, there] = await nodes(t);
  await warmUp(here, 'settled');
  const base = { actor: 'test', idempotency: null, realmId: 'settled' };
  const bound = { type: 'kind.update', realmPointId: 'points', changes: { maximumBalance: 20 } };
  answerOf(await run(there, { ...base, ...bound } as Command));
  assert.equal(refusalOf(await here.execute(credit('settled'))), 'balance-limit');
  const free = { type: 'kind.update', realmPointId: 'points', changes: { maximumBalance: 100 } };
  answerOf(await run(here, { ...base, ...free } as Command));
  assert.equal(answerOf(await here.execute(credit('settled'))).newBalance, 21);
});

test('a key that was used is answered as before, whichever node it was used on', async (t) => {
  const [here, there] = await nodes(t);
  await warmUp(here, 'keys');
  const once = (key: string, fingerprint = 'f') => ({
    ...credit('keys'),
    idempotency: { key, fingerprint },
  });
  const first = await here.execute(once('mine'));
  assert.deepEqual(await here.execute(once('mine')), { ...first, replayed: true });
  assert.equal(refusalOf(await here.execute(once('mine', 'other'))), 'idempotency-key-reused');
  const theirs = await there.execute(once('theirs'));
  assert.deepEqual(await here.execute(once('theirs')), { ...theirs, replayed: true });
  const both = await Promise.all([
    here.execute(credit('keys')),
    here.execute(once('mine')),
    here.execute(credit('keys')),
  ]);
  assert.deepEqual(
    both.map((outcome) => answerOf(outcome).newBalance),
    [23, 21, 24],
  );
  await isSound(here, 'keys');
});

test('a hold that was made while the member was remembered is kept back', async (t) => {
  const [here] = await nodes(t);
  await warmUp(here, 'held');
  const base = { actor: 'test', idempotency: null, realmId: 'held', memberId: '1' };
  const hold = { type: 'hold.create', tokens: 5, realmPointId: null, description: null };
  const { id } = answerOf(await run(here, { ...base, ...hold, expiresInSeconds: 60 } as Command));
  const spend = (tokens: number) => here.execute({ ...credit('held'), tokens: -tokens });
  // The second one of the batch is written, so that a wrong memory would do for the first.
  const [tooMuch, enough] = await Promise.all([spend(16), spend(15)]);
  assert.equal(refusalOf(tooMuch), 'insufficient-points');
  assert.equal(answerOf(enough).newBalance, 5);
  const { memberId: _, ...rest } = base;
  answerOf(await run(here, { ...rest, type: 'hold.release', holdId: id } as Command));
  assert.equal(answerOf(await spend(5)).newBalance, 0);
});

test('two nodes that write to one realm at once lose nothing', async (t) => {
  const both = await nodes(t);
  await warmUp(both[0], 'shared');
  const work = Array.from({ length: 400 }, async (_, index) => {
    await new Promise((next) => setTimeout(next, index * 2));
    return answerOf(await (both[index % 7 < 5 ? 0 : 1] as Ledger).execute(credit('shared')));
  });
  const balances = (await Promise.all(work)).map(({ newBalance }) => Number(newBalance));
  assert.deepEqual(
    balances.toSorted((a, b) => a - b),
    Array.from({ length: 400 }, (_, index) => 21 + index),
  );
  await isSound(both[1], 'shared');
});
