import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Command, Outcome } from '../../src/domain/commands.ts';
import { decide } from '../../src/domain/rules/decide.ts';
import { needsOf } from '../../src/domain/rules/needs.ts';
import type { Batch } from '../../src/ledger/store.ts';
import { create, credit } from '../support/commands.ts';
import { newDatabase } from '../support/database.ts';
import { fixedSalts } from '../support/salts.ts';

/** What a repeated request gets, beside requests that use its key for something else. */
const database = await newDatabase();
const store = await database.open();
after(async () => {
  await store.close();
  await database.drop();
});

/** Executes commands in one batch; returns what their callers see. */
async function execute(...commands: Command[]): Promise<unknown[]> {
  const batch: Batch = {
    needs: needsOf(commands),
    clock: Date.now,
    decide: (facts, now) => decide(facts, commands, now, fixedSalts),
  };
  const { outcomes } = await store.writer.write(batch).done;
  return outcomes.map(shownOf);
}

/** Whether an answer is replayed, and the answer; or the code of the refusal. */
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
  const [shown] = await execute(large);
  const [replayed, answer] = shown as [boolean, string];
  assert.equal(replayed, false);
  return { large, answer };
}

test('of the requests with a key, the one that has used it gets its answer', async () => {
  const { large, answer } = await realmWithAnswer('any');
  const small = keyed(credit('any'), 'small');
  assert.deepEqual(await execute(small, large, small), [REUSED, [true, answer], REUSED]);
  assert.deepEqual(await execute(small), [REUSED]);
});

test('the same holds in a batch of several realms', async (t) => {
  if (store.writer.limits.realmsPerBatch === 1) return t.skip('a cluster has no such batches');
  const here = await realmWithAnswer('here');
  await realmWithAnswer('there');
  const small = keyed(credit('there'), 'small');
  assert.deepEqual(await execute(here.large, small), [[true, here.answer], REUSED]);
});

test('an answer that is in a record is told from that to another request', async () => {
  await execute(create('record'));
  const described = keyed(credit('record', 'for a quest'), 'quest');
  const [first] = (await execute(described)) as [boolean, string][];
  const other = keyed(credit('record'), 'other');
  assert.deepEqual(await execute(other, described), [REUSED, [true, first?.[1]]]);
  const [row] = await database.rows(
    `SELECT fingerprint, answer FROM idempotency_keys WHERE realm_id = 'record'`,
  );
  assert.equal(row?.answer, null);
  assert.notEqual(row?.fingerprint, 'quest');
});

test('an answer that was erased is refused to every request', async () => {
  const { large } = await realmWithAnswer('erased');
  const small = keyed(credit('erased'), 'small');
  await database.exec(
    `UPDATE idempotency_keys SET answer = '', fingerprint = '' WHERE realm_id = 'erased'`,
  );
  assert.deepEqual(await execute(small, large), ['answer-erased', 'answer-erased']);
});
