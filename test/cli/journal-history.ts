import assert from 'node:assert/strict';
import type { CommandName, CommandOf } from '../../src/domain/commands.ts';
import { type Address, FIRST_KIND } from '../../src/domain/model.ts';
import { DRAW_METHOD } from '../../src/domain/rules/draw.ts';
import { DEFAULT_TERMS } from '../../src/domain/rules/offers.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Cli } from './cli.ts';

type Words<N extends CommandName> = Omit<CommandOf<N>, 'type' | 'realmId' | 'actor'>;

/** Too big for a double to represent exactly. */
export const ALICE = '80351110224678912';
export const BOB = '43';
const BEGINNING = Date.parse('2026-11-14T09:30:00.000Z');

/** Whoever has a database, such as a command line. */
export type HistoryOwner = Pick<Cli, 'database'>;

/** A ledger with short calls, none of which may be refused. */
export class Scribe {
  readonly #ledger: Ledger;
  readonly #realmId: string;

  /** Called before each command. */
  readonly #tick: () => void;

  constructor(ledger: Ledger, realmId = 'acme', tick = () => {}) {
    this.#ledger = ledger;
    this.#realmId = realmId;
    this.#tick = tick;
  }

  async do<N extends CommandName>(type: N, words: Omit<Words<N>, 'idempotency'>) {
    const envelope = { realmId: this.#realmId, actor: 'root', idempotency: null };
    const command = { ...envelope, type, ...words } as unknown as CommandOf<N>;
    this.#tick();
    const outcome = await this.#ledger.execute(command);
    assert.ok('answer' in outcome, JSON.stringify(outcome));
    return outcome.answer;
  }

  change(memberId: string, tokens: number, description: string | null = null) {
    return this.do('points.change', { memberId, tokens, realmPointId: null, description });
  }
}

/** Writes a realm whose journal has a record of every type, except those of the realm below. */
export async function writeHistory(cli: HistoryOwner): Promise<void> {
  let now = BEGINNING;
  const ledger = await cli.database.ledger(() => now);
  const scribe = new Scribe(ledger, 'acme', () => {
    now += 1_000;
  });
  await administer(scribe);
  await enrol(scribe);
  await movePoints(scribe);
  await holdPoints(scribe, () => {
    now += 60_000;
  });
  await nameAssets(scribe);
  await scribe.do('member.remove', { memberId: '44', forfeit: true });
  await openBalances(scribe);
  await ledger.close();
}

/** A raffle that is drawn, with a claim that was delivered and one that was rejected. */
async function claimOffers(scribe: Scribe, memberId: string): Promise<void> {
  await scribe.change(memberId, 50);
  const offerId = 'raffle';
  const costs = { points: 5 };
  const terms = { ...DEFAULT_TERMS, name: 'Raffle', gives: { points: 1 }, costs };
  await scribe.do('offer.create', { offerId, terms: { ...terms, delivery: 'manual' } });
  const metadata = { level: 3 };
  const claim = { offerId, memberId, quantity: 2, expectedCosts: costs };
  const one = await scribe.do('offer.claim', { ...claim, reference: 'ticket-1', metadata });
  const other = await scribe.do('offer.claim', { ...claim, quantity: 1 });
  await scribe.do('claim.deliver', { claimId: one.claimId });
  await scribe.do('claim.reject', { claimId: other.claimId });
  await scribe.do('offer.update', { offerId, changes: { archived: true } });
  const winners = [{ memberId, claimId: one.claimId }];
  const drawn = { winners, seed: 'block 1', tickets: 2, listHash: '9f3c', method: DRAW_METHOD };
  await scribe.do('offer.draw', { offerId, asOf: other.claimId + 2, drawn });
}

/** Both signs, and a reversal of each. */
async function openBalances(scribe: Scribe): Promise<void> {
  await scribe.do('kind.update', { realmPointId: 'gems', changes: { minimumBalance: -5 } });
  const balances = [
    { realmPointId: 'points', tokens: 9 },
    { realmPointId: 'gems', tokens: -4 },
  ];
  const [moved] = await scribe.do('member.batch', {
    atomic: true,
    description: 'Moved',
    members: [{ memberId: '45', fields: {}, wallets: [], balances }],
  });
  assert.ok(moved && 'opened' in moved);
  for (const { transactionId } of moved.opened) {
    await scribe.do('points.reverse', {
      transactionId,
      tokens: 3,
      description: null,
      force: false,
    });
  }
}

/** Writes the realm `proofs`: wallets and claims of a member that is erased, an archived while. */
export async function writeProofs(cli: HistoryOwner): Promise<void> {
  const ledger = await cli.database.ledger();
  const scribe = new Scribe(ledger, 'proofs');
  await scribe.do('realm.create', { name: 'Proofs', settings: {} });
  const memberId = '44';
  const [wallet, other] = ['1', '2'].map((digit): Address => {
    const address = `0x${digit.repeat(40)}`;
    return { chain: 'eip155', key: address, address };
  });
  assert.ok(wallet && other);
  await scribe.do('member.create', { memberId, fields: {}, wallets: [other] });
  const { message } = await scribe.do('wallet.challenge', {
    memberId,
    wallet,
    network: 'eip155:1',
    nonce: '0123456789abcdef',
    serviceUrl: 'https://acme.example',
  });
  const proof = { message, signature: '0x00', check: 'by-key' as const };
  await scribe.do('wallet.link', { memberId, wallet, primary: true, proof });
  await scribe.do('wallet.unlink', { memberId, walletKey: wallet.key, address: wallet.address });
  await manageWebhooks(scribe);
  await claimOffers(scribe, memberId);
  await invitePeople(scribe);
  for (const archived of [true, false]) await scribe.do('realm.archive', { archived });
  await scribe.do('member.remove', { memberId, forfeit: true, erase: true });
  while (await ledger.housekeeping.erasePersonalParts('proofs'));
  await ledger.close();
}

async function invitePeople(scribe: Scribe): Promise<void> {
  const newPersonId = 'pElsESjT1PxsC';
  await scribe.do('person.create', { newPersonId, name: 'Eve', role: 'manager' });
  const changes = { name: 'Eve B.', role: 'viewer' as const };
  await scribe.do('person.update', { personId: newPersonId, ...changes });
  await scribe.do('person.remove', { personId: newPersonId, erase: true });
}

async function manageWebhooks(scribe: Scribe): Promise<void> {
  const newWebhook = { id: 'q7Lm20RtYb5c', secret: 'key.sealed' };
  const webhookId = newWebhook.id;
  const [url, target] = ['https://bot.example/hook', 'allowed' as const];
  const fields = { url, types: ['points.*'], description: null };
  await scribe.do('webhook.create', { newWebhook, ...fields, target });
  const changes = { url: 'https://bot.example/new', types: [], description: 'Bot' };
  await scribe.do('webhook.update', { webhookId, fields: changes, paused: true, target });
  await scribe.do('webhook.update', { webhookId, fields: {}, paused: false, target });
  await scribe.do('webhook.rotate', { newWebhook, overlapSeconds: 60 });
  await scribe.do('webhook.replay', { webhookId, fromSeq: 1 });
  await scribe.do('webhook.delete', { webhookId });
}

async function administer(scribe: Scribe): Promise<void> {
  await scribe.do('realm.create', { name: 'Acme', settings: {} });
  await scribe.do('realm.update', { settings: { autoEnroll: true } });
  const secretHash = '0'.repeat(64);
  const [one, two] = ['k3Jx81PzQw2m', 'ElsESjT1PxsC'].map((id) => ({ id, secretHash }));
  assert.ok(one && two);
  await scribe.do('key.create', { newKey: one, name: 'bot', scopes: ['read'], expiresAt: null });
  await scribe.do('key.rotate', { keyId: one.id, newKey: two, overlapSeconds: 60 });
  await scribe.do('key.revoke', { keyId: two.id });
  const kind = { ...FIRST_KIND, id: 'gems', name: 'Gems', isDefault: false };
  await scribe.do('kind.create', { kind });
  await scribe.do('kind.update', { realmPointId: 'gems', changes: { symbol: '💎' } });
}

async function nameAssets(scribe: Scribe): Promise<void> {
  const contract = '0x52908400098527886E0F7030069857D2E4169EE7';
  const asset = { id: 'badge', chain: 'eip155:1', standard: 'erc1155' as const, contract };
  await scribe.do('asset.create', { asset: { ...asset, tokenId: '7', symbol: null } });
  await scribe.do('asset.delete', { assetId: 'badge' });
}

async function enrol(scribe: Scribe): Promise<void> {
  // Line terminators elsewhere, but not in an export.
  const displayName = 'Alice\u2028\u0085 "Ünïcödé" \\ \ud800';
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const wallet = { chain: 'eip155' as const, key: address.toLowerCase(), address };
  const accounts = [{ provider: 'discord', id: ALICE, username: 'alice' }];
  await scribe.do('member.create', {
    memberId: ALICE,
    fields: {
      username: 'alice',
      displayName,
      accounts,
      tags: '["vip"]',
      note: 'Kind',
      metadata: '{"level":1.50}',
    },
    wallets: [],
  });
  await scribe.do('member.update', { memberId: ALICE, fields: { username: 'al' } });
  for (const memberId of [BOB, '44']) {
    await scribe.do('member.create', { memberId, fields: {}, wallets: [] });
  }
  for (const status of ['frozen', 'active'] as const) {
    await scribe.do('member.update', { memberId: BOB, fields: {}, status });
  }
  await scribe.do('wallet.link', { memberId: '44', wallet, primary: true, proof: null });
}

async function movePoints(scribe: Scribe): Promise<void> {
  await scribe.change(ALICE, 1_000, 'Quest: „Grüße“');
  await scribe.change('44', 7);
  const { transactionId: spent } = await scribe.change(ALICE, -100);
  const { transactionId: given } = await scribe.do('points.transfer', {
    memberId: ALICE,
    recipientId: BOB,
    tokens: 50,
    realmPointId: null,
    description: null,
  });
  const words = { description: null, force: false };
  await scribe.do('points.reverse', { transactionId: spent, tokens: 40, ...words });
  await scribe.do('points.reverse', { transactionId: given, tokens: 20, ...words });
}

async function holdPoints(scribe: Scribe, waitAMinute: () => void): Promise<void> {
  const hold = () =>
    scribe.do('hold.create', {
      memberId: ALICE,
      tokens: 30,
      realmPointId: null,
      description: 'Raffle',
      expiresInSeconds: 30,
    });
  const taken = await hold();
  await scribe.do('hold.capture', { holdId: taken.id, tokens: 10, recipientId: BOB });
  const last = await scribe.do('hold.capture', { holdId: taken.id, tokens: 20, recipientId: null });
  await scribe.do('points.reverse', {
    transactionId: last.transactionId,
    tokens: null,
    description: 'Back',
    force: false,
  });
  await scribe.do('hold.release', { holdId: (await hold()).id });
  const late = await hold();
  waitAMinute();
  await scribe.do('hold.expire', { holdId: late.id });
}

/** Writes a realm whose export exceeds the buffer of any pipe, and whose pages end by bytes. */
export async function writeMuch(cli: HistoryOwner, count: number): Promise<void> {
  const ledger = await cli.database.ledger();
  const scribe = new Scribe(ledger);
  await scribe.do('realm.create', { name: 'Acme', settings: { autoEnroll: true } });
  const description = '🐸'.repeat(600);
  const entry = { memberId: BOB, tokens: 1, realmPointId: null, description };
  await scribe.do('points.batch', { atomic: true, entries: Array(count).fill(entry) });
  await ledger.close();
}

/** What someone with access to the database could do to it. */
export async function tamper(cli: Cli, ...statements: string[]): Promise<void> {
  for (const sql of statements) await cli.database.exec(sql);
}
