import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Command, Outcome } from '../../src/domain/commands.ts';
import type { IdempotencyRecord } from '../../src/domain/facts.ts';
import { decide } from '../../src/domain/rules/decide.ts';
import { needsOf } from '../../src/domain/rules/needs.ts';
import { create, credit } from '../support/commands.ts';
import { newDatabase } from '../support/database.ts';
import { fixedSalts } from '../support/salts.ts';

/** A stored answer may be megabytes long: it is read for the request that it answers only. */
const database = await newDatabase();
const store = await database.open();
after(async () => {
  await store.close();
  await database.drop();
});

interface Executed {
  /** The answer, whether it is replayed, or the code of the refusal. */
  shown: unknown[];
  /** The idempotency records that were read. */
  read: IdempotencyRecord[];
}

/** Executes commands in one batch. */
async function execute(...commands: Command[]): Promise<Executed> {
  let read: IdempotencyRecord[] = [];
  const batch = {
    needs: needsOf(commands),
    clock: Date.now,
    decide: (facts: Parameters<typeof decide>[0]) => {
      read = facts.flatMap(({ idempotencyRecords }) => structuredClone(idempotencyRecords));
      return decide(facts, commands, Date.now(), fixedSalts);
    },
  };
  const { outcomes } = await store.writers[0].write(batch, 'yield').done;
  return { shown: outcomes.map(shownOf), read };
}

function shownOf(outcome: Outcome): unknown {
  if ('refusal' in outcome) return outcome.refusal.code;
  assert.ok('answer' in outcome, JSON.stringify(outcome));
  return [outcome.replayed, JSON.stringify(outcome.answer)];
}

const REUSED = 'idempotency-key-reused';
const keyed = <C extends Command>(command: C, fingerprint: string, key = 'k'): C => ({
  ...command,
  idempotency: { key, fingerprint },
});

/** A realm where a batch was executed under the key `k`, and the answer to it. */
async function realmWithAnswer(realmId: string): Promise<{ large: Command; answer: string }> {
  await execute(create(realmId));
  const { type: _, ...rest } = credit(realmId);
  const { memberId, tokens, realmPointId, description, ...envelope } = rest;
  const entry = { memberId, tokens, realmPointId, description };
  const batch = { ...envelope, type: 'points.batch', entries: Array(100).fill(entry) } as Command;
  const large = keyed(batch, 'large');
  const { shown } = await execute(large);
  const [replayed, answer] = shown[0] as [boolean, string];
  assert.equal(replayed, false);
  return { large, answer };
}

test('the answer to another request is not read', async () => {
  const { large, answer } = await realmWithAnswer('other');
  const small = (fingerprint: string) => keyed(credit('other'), fingerprint);
  const { shown, read } = await execute(small('small'), small('smaller'));
  assert.deepEqual(shown, [REUSED, REUSED]);
  assert.deepEqual(
    read.map(({ key, fingerprint, answer }) => [key, fingerprint, answer]),
    [['k', 'large', '']],
  );
  const again = await execute(large);
  assert.deepEqual(again.shown, [[true, answer]]);
  assert.equal(again.read[0]?.answer, answer);
});

test('it is read if any request of the batch is the one that it answers', async () => {
  const { large, answer } = await realmWithAnswer('any');
  const small = keyed(credit('any'), 'small');
  for (const commands of [
    [small, large, small],
    [large, small, small],
  ]) {
    const { shown, read } = await execute(...commands);
    const expected = commands.map((one) => (one === large ? [true, answer] : REUSED));
    assert.deepEqual(shown, expected);
    assert.equal(read.length, 1);
  }
});

test('the same holds in a batch of several realms', async (t) => {
  if (store.writers[0].limits.realmsPerBatch === 1) return t.skip('a cluster has no such batches');
  const here = await realmWithAnswer('here');
  await realmWithAnswer('there');
  const small = keyed(credit('there'), 'small');
  assert.deepEqual((await execute(here.large, small)).shown, [[true, here.answer], REUSED]);
  const others = [keyed(credit('here'), 'small'), small];
  const { shown, read } = await execute(...others);
  assert.deepEqual(shown, [REUSED, REUSED]);
  assert.deepEqual(
    read.map(({ answer }) => answer),
    ['', ''],
  );
});

test('an answer that is in a record is told from that to another request by its salt', async () => {
  await execute(create('record'));
  const described = keyed(credit('record', 'for a quest'), 'quest');
  const [first] = (await execute(described)).shown as [boolean, string][];
  const other = keyed(credit('record'), 'other');
  const { shown, read } = await execute(other, described);
  assert.deepEqual(shown, [REUSED, [true, first?.[1]]]);
  assert.equal(read[0]?.answer, null);
  assert.notEqual(read[0]?.fingerprint, 'quest');
});

test('an answer that was erased is told from one that is not read', async () => {
  const { large } = await realmWithAnswer('erased');
  const small = keyed(credit('erased'), 'small');
  await database.exec(
    `UPDATE idempotency_keys SET answer = '', fingerprint = '' WHERE realm_id = 'erased'`,
  );
  const { shown } = await execute(small, large);
  assert.deepEqual(shown, ['answer-erased', 'answer-erased']);
});
