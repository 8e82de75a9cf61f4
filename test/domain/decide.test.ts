import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type {
  BatchEntryOutcome,
  Command,
  EnrolmentOutcome,
  Outcome,
} from '../../src/domain/commands.ts';
import type { RealmFacts } from '../../src/domain/facts.ts';
import type { Hold } from '../../src/domain/model.ts';
import type { Claim, ClaimStatus } from '../../src/domain/offer.ts';
import { Auditor } from '../../src/domain/rules/audit.ts';
import { decide } from '../../src/domain/rules/decide.ts';
import { holdStatus } from '../../src/domain/rules/holds.ts';
import type { JournalRecord } from '../../src/domain/rules/journal.ts';
import { needsOf } from '../../src/domain/rules/needs.ts';
import { offerStatus } from '../../src/domain/rules/offers.ts';
import type { Page, PageUpTo } from '../../src/domain/rules/pages.ts';
import { fixedSalts } from '../support/salts.ts';
import { runs, storeForFile } from '../support/stores.ts';
import { type Batch, command, history, MEMBERS, offerHistory, setUp } from './histories.ts';
import type { Model } from './model.ts';
import { KINDS } from './model-parts.ts';
import { newModel, resolved, START } from './resolved.ts';

/**
 * A rule without one of its checks is found after some ten to a hundred histories. `LONG=1` runs
 * the same properties over eighty times as many.
 */
const RUNS = runs(process.env.LONG ? 20_000 : 250);

const store = await storeForFile();
let realms = 0;

/** Every history has its own realm: to open a store takes longer than most of them. */
function newRealm(): string {
  realms += 1;
  return `realm-${realms}`;
}

function summaryOf(outcome: Outcome, { type }: Command): string {
  if ('refusal' in outcome) return outcome.refusal.code;
  if ('fault' in outcome) return outcome.fault;
  if (Array.isArray(outcome.answer)) return ['ok', ...outcome.answer.map(entrySummary)].join(' ');
  const answer = (outcome.answer ?? {}) as Record<string, unknown>;
  if ('claimId' in answer) return claimSummary(answer as unknown as Claim, type);
  if (type === 'offer.draw') return 'ok';
  if (type === 'member.put') return answer.isNew ? 'ok new' : 'ok';
  const { newBalance, senderBalance, recipientBalance, id, status } = answer;
  const holdField = type === 'hold.create' ? id : status;
  return [
    'ok',
    /^(hold|offer)\./.test(type) ? holdField : undefined,
    newBalance,
    senderBalance,
    recipientBalance,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

function claimSummary({ claimId, status, streak, balances }: Claim, type: string): string {
  const more = type === 'offer.claim' ? [`${streak}`, ...Object.values(balances)] : [];
  return ['ok', claimId, status, ...more].join(' ');
}

function entrySummary(entry: BatchEntryOutcome | EnrolmentOutcome): string {
  if ('refusal' in entry) return entry.refusal.code;
  if ('newBalance' in entry) return String(entry.newBalance);
  if ('senderBalance' in entry) return `${entry.senderBalance},${entry.recipientBalance}`;
  return [entry.memberId, ...entry.opened.map(({ newBalance }) => newBalance)].join(':');
}

/** Runs a history in a realm, one transaction for each batch, and returns its journal. */
async function run(
  realmId: string,
  batches: Batch[],
  each: (summary: string, one: Command, now: number) => void,
): Promise<{ records: JournalRecord[]; now: number }> {
  const records: JournalRecord[] = [];
  let now = START;
  for (const { seconds, commands: written } of [{ seconds: 0, commands: setUp }, ...batches]) {
    now += seconds * 1000;
    const commands = written.map((one) => ({ ...one, realmId }));
    const batch = {
      needs: needsOf(commands),
      clock: () => now,
      decide: (facts: RealmFacts[]) => decide(facts, commands, now, fixedSalts),
    };
    const decision = await store.writer.write(batch).done;
    records.push(...decision.changes.flatMap((changes) => changes.records));
    for (const [index, one] of commands.entries()) {
      if (written !== setUp) each(summaryOf(decision.outcomes[index] as Outcome, one), one, now);
    }
  }
  return { records, now };
}

/** Those of the histories, and those whose ids were assigned. */
const membersOf = (model: Model): Set<string> => new Set([...MEMBERS, ...model.statuses.keys()]);

async function compareMembers(realmId: string, model: Model, now: number): Promise<void> {
  for (const memberId of membersOf(model)) {
    const member = await store.reader.member({ realmId, memberId, now });
    assert.equal(member?.status ?? 'removed', model.statuses.get(memberId) ?? 'removed');
    if (!member) continue;
    assert.equal(member.displayName, model.names.get(memberId));
    const balances = {
      gems: model.balance(memberId, 'gems'),
      points: model.balance(memberId, 'points'),
    };
    assert.deepEqual(member.balances, balances);
    for (const kind of ['gems', 'points'] as const) {
      const held = model.held(memberId, kind);
      const isFrozen = model.statuses.get(memberId) === 'frozen';
      const left = Math.max(0, balances[kind] - held - (KINDS[kind]?.floor ?? 0));
      assert.deepEqual([member.held[kind], member.available[kind]], [held, isFrozen ? 0 : left]);
    }
    const page = { realmPointId: null, type: null, from: null, to: null, before: null, limit: 500 };
    const statement = await store.reader.statement({ realmId, memberId, ...page });
    assert.deepEqual(
      statement?.rows.map((t) => [t.transactionId, t.realmPointId, t.tokens, t.balance]),
      model.movements
        .filter((m) => m.member === memberId)
        .toSorted((a, b) => b.seq - a.seq)
        .map((m) => [m.seq, m.kind, m.tokens, m.balance]),
    );
  }
}

async function compareHolds(realmId: string, model: Model, now: number): Promise<void> {
  for (const [holdId, expected] of model.holds) {
    const hold = await store.reader.hold({ realmId, holdId });
    // Queries do not return the holds of removed members.
    assert.equal(hold === null, model.statuses.get(expected.member) === 'removed');
    if (!hold) continue;
    assert.deepEqual(
      [hold.captured, holdStatus(hold, now)],
      [expected.captured, model.status(expected)],
    );
  }
}

/** The lists of holds, of every status and page by page. */
async function compareHoldLists(realmId: string, model: Model, now: number): Promise<void> {
  const shown = [...model.holds].filter(([, one]) => model.statuses.get(one.member) !== 'removed');
  const expected = (status: string | null, member: string | null): number[] =>
    shown
      .filter(([, one]) => status === null || model.status(one) === status)
      .filter(([, one]) => member === null || one.member === member)
      .map(([id]) => id)
      .sort((a, b) => b - a);
  for (const status of [null, 'open', 'captured', 'released', 'expired'] as const) {
    const params = { realmId, status, limit: 2, now };
    const all = await walk((before) => store.reader.holds({ ...params, before }));
    assert.deepEqual(all, expected(status, null));
    for (const memberId of MEMBERS) {
      const isGone = (model.statuses.get(memberId) ?? 'removed') === 'removed';
      const read = (before: number | null) => store.reader.holdsOf({ ...params, memberId, before });
      if (isGone) assert.equal(await read(null), null);
      else assert.deepEqual(await walk(read), expected(status, memberId));
    }
  }
}

async function walk(
  read: (before: number | null) => Page<Hold> | null | Promise<Page<Hold> | null>,
): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const page = await read(ids.at(-1) ?? null);
    ids.push(...(page?.rows ?? []).map(({ id }) => id));
    if (!page?.hasMore) return ids;
  }
}

/** What was claimed of each offer, and the lists of claims, page by page. */
async function compareClaims(realmId: string, { offers }: Model, now: number): Promise<void> {
  for (const offerId of offers.offers.keys()) {
    const offer = await store.reader.offer({ realmId, offerId });
    assert.equal(offer?.claimed, offers.claimed(offerId));
    assert.equal(offer && offerStatus(offer, now), offers.status(offerId));
  }
  for (const status of [null, 'pending', 'done', 'rejected'] as (ClaimStatus | null)[]) {
    const found: number[] = [];
    for (let before: number | null = null; ; ) {
      const params = { realmId, status, offerId: null, memberId: null, limit: 2 };
      const page: PageUpTo<Claim, number> = await store.reader.claims({ ...params, before });
      found.push(...page.rows.map(({ claimId }) => claimId));
      before = page.next;
      if (before === null) break;
    }
    const expected = [...offers.claims].filter(([, one]) => !status || one.status === status);
    assert.deepEqual(
      found,
      expected.map(([claimId]) => claimId).sort((a, b) => b - a),
    );
  }
}

/** Checks the numbers, hashes and balances of the journal by themselves. */
function audit(realmId: string, records: JournalRecord[], model: Model): void {
  const auditor = new Auditor(realmId);
  for (const record of records) assert.equal(auditor.checkRecord(record), null);
  assert.equal(auditor.verified.records, records.length);
  for (const memberId of membersOf(model)) {
    for (const kind of ['points', 'gems']) {
      const balance = model.balance(memberId, kind);
      assert.equal(auditor.balanceOf(memberId, kind), balance);
    }
  }
}

const histories: [of: string, history: fc.Arbitrary<Batch[]>][] = [
  ['any history', history],
  ['any history of offers', offerHistory],
];

for (const [name, arbitrary] of histories) {
  test(`${name} has the outcomes, balances, holds and statements of the model`, async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (batches) => {
        const realmId = newRealm();
        const model = newModel();
        const { records, now } = await run(realmId, resolved(batches), (outcome, one, at) => {
          model.now = at;
          assert.equal(outcome, model.apply(one), JSON.stringify(one));
        });
        await compareMembers(realmId, model, now);
        await compareHolds(realmId, model, now);
        await compareHoldLists(realmId, model, now);
        await compareClaims(realmId, model, now);
        audit(realmId, records, model);
      }),
      { numRuns: RUNS },
    );
  });
}

test('how a history is split into batches does not change its outcomes', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (written) => {
      const batches = resolved(written);
      const [grouped, single] = [[], []] as [string[], string[]];
      const singles = batches.flatMap(({ seconds, commands }) =>
        commands.map((c, index) => ({ seconds: index === 0 ? seconds : 0, commands: [c] })),
      );
      await run(newRealm(), batches, (outcome) => grouped.push(outcome));
      await run(newRealm(), singles, (outcome) => single.push(outcome));
      assert.deepEqual(grouped, single);
    }),
    { numRuns: RUNS / 10 },
  );
});

test('transfers create and destroy nothing', async () => {
  const transfer = fc
    .tuple(
      fc.constantFrom(...MEMBERS),
      fc.constantFrom(...MEMBERS),
      fc.integer({ min: 1, max: 99 }),
    )
    .map(([memberId, recipientId, tokens]) =>
      command('points.transfer', {
        memberId,
        recipientId,
        tokens,
        realmPointId: null,
        description: null,
      }),
    );
  const funded = MEMBERS.flatMap((memberId): Command[] => [
    command('member.create', { memberId, fields: {}, wallets: [] }),
    command('points.change', { memberId, tokens: 100, realmPointId: null, description: null }),
  ]);
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { minLength: 1, maxLength: 30 }), async (commands) => {
      const realmId = newRealm();
      await run(
        realmId,
        [
          { seconds: 1, commands: funded },
          { seconds: 1, commands },
        ],
        () => {},
      );
      let sum = 0;
      for (const memberId of MEMBERS) {
        sum += (await store.reader.member({ realmId, memberId, now: 0 }))?.balances.points ?? 0;
      }
      assert.equal(sum, 400);
    }),
    { numRuns: RUNS / 10 },
  );
});
