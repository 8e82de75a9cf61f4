import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Command, CommandOf, Outcome } from '../../src/domain/commands.ts';
import type { RealmFacts } from '../../src/domain/facts.ts';
import { type Address, MAX_OPEN_HOLDS } from '../../src/domain/model.ts';
import { decide } from '../../src/domain/rules/decide.ts';
import { needsOf } from '../../src/domain/rules/needs.ts';
import { newDatabase } from '../support/database.ts';
import { fixedSalts } from '../support/salts.ts';
import { stepsOf } from '../support/steps.ts';
import { command } from './histories.ts';

/**
 * What a command costs must not depend on the other commands of its batch, on the open holds of its
 * member, or on the members of its realm. Steps are counted, not time.
 */
const NOW = Date.parse('2026-11-14T09:30:00.000Z');
const database = await newDatabase();
const store = await database.open();
after(async () => {
  await store.close();
  await database.drop();
});

async function write(commands: Command[], now = NOW): Promise<Outcome[]> {
  const batch = {
    needs: needsOf(commands),
    clock: () => now,
    decide: (facts: RealmFacts[]) => decide(facts, commands, now, fixedSalts),
  };
  return (await store.writer.write(batch).done).outcomes;
}

async function accept(commands: Command[], now = NOW): Promise<void> {
  for (const outcome of await write(commands, now)) {
    assert.ok('answer' in outcome, JSON.stringify(outcome));
  }
}

const repeat = (count: number, one: (index: number) => Command): Command[] =>
  Array.from({ length: count }, (_, index) => one(index));

/** A realm of its own for each measurement, so that nothing of another is cached. */
let realms = 0;
async function newRealm(): Promise<(one: Command) => Command> {
  realms += 1;
  const realmId = `realm-${realms}`;
  const inRealm = (one: Command): Command => ({ ...one, realmId });
  await accept([inRealm(command('realm.create', { name: 'Acme', settings: {} }))]);
  return inRealm;
}

const walletOf = (key: string): Address => ({ chain: 'eip155', key, address: key });

const enrol = (memberId: string | null, keys: string[] = []): Command =>
  command('member.create', {
    memberId,
    fields: {},
    wallets: keys.map(walletOf),
  });

type Enrolments = CommandOf<'member.batch'>['members'];

const enrolAll = (members: Enrolments): Command =>
  command('member.batch', { atomic: false, description: null, members });

const enrolments = (count: number, one: (index: number) => Partial<Enrolments[number]>) =>
  Array.from({ length: count }, (_, index): Enrolments[number] => ({
    memberId: null,
    fields: {},
    wallets: [],
    balances: [],
    ...one(index),
  }));

const change = (memberId: string, tokens: number): Command =>
  command('points.change', { memberId, tokens, realmPointId: null, description: null });

const hold = (memberId: string, expiresInSeconds = 3600): Command =>
  command('hold.create', {
    memberId,
    tokens: 1,
    realmPointId: null,
    description: null,
    expiresInSeconds,
  });

const challenge = (memberId: string, number: number): Command =>
  command('wallet.challenge', {
    memberId,
    wallet: { chain: 'eip155', key: `0x${number}`, address: `0x${number}` },
    network: 'eip155:1',
    nonce: `nonce${String(number).padStart(8, '0')}`,
    serviceUrl: 'https://example.com/',
  });

const walletKeys = (member: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${member}-${index}`);

const remove = (memberId: string, forfeit: boolean): Command =>
  command('member.remove', { memberId, forfeit });

/** A batch of each kind that one realm could use to stop the others; all of size `count`. */
const batches: Record<string, (count: number) => { before: Command[]; batch: Command[] }> = {
  'enrolments with wallets': (count) => ({
    before: [],
    batch: repeat(count, (index) => enrol(String(index + 1), walletKeys(index, 20))),
  }),
  'enrolments without an id': (count) => ({ before: [], batch: repeat(count, () => enrol(null)) }),
  'one command with enrolments and opening balances': (count) => ({
    before: [],
    batch: [
      enrolAll(
        enrolments(count, (index) => ({
          memberId: String(index + 1),
          fields: { accounts: [{ provider: 'discord', id: String(index), username: null }] },
          wallets: walletKeys(index, 5).map(walletOf),
          balances: [{ realmPointId: 'points', tokens: 5 }],
        })),
      ),
    ],
  }),
  'one command with enrolments, then refused ones without an id': (count) => ({
    before: [enrol('1000000', ['taken'])],
    batch: [
      enrolAll([
        ...enrolments(count, (index) => ({ memberId: String(index + 1) })),
        ...enrolments(count, () => ({ wallets: [walletOf('taken')] })),
      ]),
    ],
  }),
  'holds, then debits that are refused': (count) => ({
    before: repeat(count, (index) => enrol(String(index + 1))),
    batch: [
      ...repeat(count, (index) => change(String(index + 1), 5)),
      ...repeat(5 * count, (index) => hold(String((index % count) + 1))),
      ...repeat(count, (index) => change(String(index + 1), -1)),
    ],
  }),
  'removals of members with holds and wallets': (count) => ({
    before: repeat(count, (index) => enrol(String(index + 1), walletKeys(index, 5))),
    batch: [
      ...repeat(count, (index) => change(String(index + 1), 5)),
      ...repeat(5 * count, (index) => hold(String((index % count) + 1))),
      ...repeat(count, (index) => remove(String(index + 1), true)),
    ],
  }),
  'challenges of many members': (count) => ({
    before: repeat(count, (index) => enrol(String(index + 1))),
    batch: repeat(count, (index) => challenge(String(index + 1), index)),
  }),
};

for (const [name, make] of Object.entries(batches)) {
  test(`a batch twice as large costs twice as much: ${name}`, async () => {
    const costs: number[] = [];
    for (const count of [25, 50, 100]) {
      const inRealm = await newRealm();
      const { before, batch } = make(count);
      if (before.length > 0) await accept(before.map(inRealm));
      costs.push(await stepsOf(() => write(batch.map(inRealm))));
    }
    const [small = 0, medium = 0, large = 0] = costs;
    // What the second doubling adds is twice what the first one added, fixed costs left out.
    assert.ok(large - medium < 2.2 * (medium - small), `${costs}`);
  });
}

/** The steps of one command in a realm where something else exists `count` times. */
async function costAmong(
  count: number,
  surround: (count: number) => Command[][],
  one: Command,
): Promise<number> {
  const inRealm = await newRealm();
  for (const commands of surround(count)) await accept(commands.map(inRealm));
  return stepsOf(() => write([inRealm(one)], NOW));
}

const withHolds = (count: number): Command[][] => [
  [enrol('1'), change('1', MAX_OPEN_HOLDS)],
  repeat(count, () => hold('1')),
];
const withMembers = (count: number): Command[][] => [
  repeat(count, (index) => enrol(String(index + 1), [`0x${index}`])),
];

const surroundings: [string, (count: number) => Command[][], Command][] = [
  ['a refused debit, among open holds', withHolds, change('1', -MAX_OPEN_HOLDS)],
  ['a hold, among open holds', withHolds, hold('1')],
  ['a removal, among members', withMembers, remove('1', false)],
  ['an enrolment, among members', withMembers, enrol('500000', ['0xnew'])],
];

for (const [name, surround, one] of surroundings) {
  test(`one command costs the same: ${name}`, async () => {
    const [few, many] = [await costAmong(24, surround, one), await costAmong(48, surround, one)];
    assert.ok(many <= 1.1 * few, `${few} steps, then ${many}`);
  });
}

test('a refused enrolment without an id does not walk past all members', async () => {
  const refused = enrol(null, ['0x0']);
  const among = (count: number) => costAmong(count, withMembers, refused);
  const [few, many] = [await among(200), await among(800)];
  assert.ok(many <= 1.5 * few, `${few} steps, then ${many}`);
});
