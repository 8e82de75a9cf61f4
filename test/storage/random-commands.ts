import type { Command, CommandOf, Commands } from '../../src/domain/commands.ts';
import type { Address, Asset, PointKind } from '../../src/domain/model.ts';
import { DEFAULT_TERMS } from '../../src/domain/rules/offers.ts';

/** Numbers that look random and are the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Said = { [N in keyof Commands]: { type: N } & Commands[N][0] }[keyof Commands];

// Few of everything, so that commands meet; ids beyond 2^53, texts that databases might misread.
const MEMBERS = ['1', '2', '3', '4', '9007199254740993', '9223372036854775800'];
const TEXTS = ['', 'a"b', 'c\\d', 'NULL', '{x}', "o'k", 'ä😀', 'x,y', '\\"'];
const LAST_RECORD = 150;
/** The id of the key that all secrets of webhooks are sealed with. */
export const SEALED_BY = 'sealer';

/** Makes commands of every type for some realms. */
export class RandomCommands {
  readonly #random: () => number;
  readonly #realms: readonly string[];
  readonly #keys = new Map<string, string[]>();
  readonly #people = new Map<string, string[]>();
  readonly #webhooks = new Map<string, string[]>();
  readonly #challenges: { command: CommandOf<'wallet.challenge'>; message: string }[] = [];
  #made = 0;

  constructor(seed: number, realms: readonly string[]) {
    this.#random = randomOf(seed);
    this.#realms = realms;
  }

  next(realmId = this.#pick(this.#realms)): Command {
    return this.#make(realmId, [
      this.#ofRealm,
      this.#ofWebhook,
      this.#ofMember,
      this.#ofWallet,
      this.#ofPoints,
      this.#ofHold,
      this.#ofOffer,
    ]);
  }

  /** One that only changes points, as nearly all are. */
  nextOfPoints(realmId: string): Command {
    return this.#make(realmId, [this.#ofBalances]);
  }

  #make(realmId: string, makers: ((realmId: string) => Said)[]): Command {
    const key = this.#pick(['k1', 'k2', 'k3', `u${this.#made++}`]);
    const isOnce = this.#is(0.3);
    const word = this.#pick(['q', 'w']);
    const said = this.#pick(makers).call(this, realmId);
    // As over HTTP, only requests of one kind have the same.
    const idempotency = isOnce ? { key, fingerprint: `${said.type} ${word}` } : null;
    return { actor: 'test', idempotency, realmId, ...said } as Command;
  }

  /** A challenge that was issued may be signed later. */
  noteIssued(command: CommandOf<'wallet.challenge'>, message: string): void {
    this.#challenges.push({ command, message });
  }

  #ofRealm(realmId: string): Said {
    const assetId = this.#pick(['a', 'b', 'c']);
    const realmPointId = this.#pick(['gems', 'gold']);
    const isDefault = this.#is(0.5);
    return this.#pick<Said>([
      { type: 'realm.update', name: this.#text() ?? 'n' },
      { type: 'kind.create', kind: this.#kind(realmPointId) },
      { type: 'kind.update', realmPointId, changes: { name: this.#text() ?? 'z' } },
      {
        type: 'kind.update',
        realmPointId: this.#pick(['points', realmPointId]),
        changes: { isDefault },
      },
      { type: 'asset.create', asset: this.#asset(assetId) },
      { type: 'asset.delete', assetId },
      this.#ofKey(realmId),
      this.#ofKey(realmId),
      this.#ofPerson(realmId),
    ]);
  }

  #ofPerson(realmId: string): Said {
    const people = this.#people.get(realmId) ?? [];
    const personId = this.#pick(['none', ...people]);
    const newPersonId = `p${realmId}${this.#made++}`;
    this.#people.set(realmId, [...people, newPersonId]);
    const name = this.#text() ?? 'p';
    return this.#pick<Said>([
      { type: 'person.create', newPersonId, name, role: 'manager' },
      { type: 'person.update', personId, name, role: this.#pick(['viewer', 'manager']) },
      { type: 'person.invite', personId },
      { type: 'person.remove', personId, erase: this.#is(0.5) },
    ]);
  }

  #ofKey(realmId: string): Said {
    const keys = this.#keys.get(realmId) ?? [];
    const keyId = this.#pick(['none', ...keys]);
    const newKey = { id: `k${realmId}${this.#made++}`, secretHash: 'h' };
    this.#keys.set(realmId, [...keys, newKey.id]);
    const name = this.#text() ?? 'k';
    return this.#pick<Said>([
      { type: 'key.create', newKey, name, scopes: ['read', 'write'], expiresAt: null },
      { type: 'key.rotate', keyId, newKey, overlapSeconds: 5 },
      { type: 'key.revoke', keyId },
    ]);
  }

  #ofWebhook(realmId: string): Said {
    const webhooks = this.#webhooks.get(realmId) ?? [];
    const webhookId = this.#pick(['none', ...webhooks.slice(-3)]);
    const id = `w${this.#made++}`;
    const secret = `${SEALED_BY}.${id}`;
    this.#webhooks.set(realmId, [...webhooks, id]);
    const url = `https://${this.#pick(['a', 'b'])}.example/`;
    const fields = { url, types: this.#pick([[], ['points.*', 'x']]), description: this.#text() };
    const target = 'allowed';
    return this.#pick<Said>([
      { type: 'webhook.create', newWebhook: { id, secret }, ...fields, target },
      { type: 'webhook.update', webhookId, fields, target },
      { type: 'webhook.update', webhookId, fields: {}, paused: this.#is(0.5), target },
      { type: 'webhook.rotate', newWebhook: { id: webhookId, secret }, overlapSeconds: 5 },
      { type: 'webhook.replay', webhookId, fromSeq: this.#upTo(LAST_RECORD) },
      { type: 'webhook.delete', webhookId },
    ]);
  }

  #ofMember(): Said {
    const memberId = this.#pick(MEMBERS);
    const account = () => ({ provider: 'x', id: String(this.#upTo(20)), username: this.#text() });
    const accounts = Array.from({ length: this.#upTo(4) - 1 }, account);
    const tags = JSON.stringify(this.#pick([[], ['vip'], ['vip', 'og']]));
    const names = {
      username: this.#text(),
      tags,
      note: this.#text(),
      metadata: JSON.stringify({ text: this.#text() }),
    };
    const status = this.#pick(['active', 'active', 'frozen'] as const);
    const wallets = this.#is(0.3) ? [this.#wallet()] : [];
    const fields = this.#is(0.5) ? { ...names, accounts } : { displayName: this.#text() };
    const one = this.#pick([memberId, memberId, null]);
    return this.#pick<Said>([
      { type: 'member.create', memberId: one, fields, wallets },
      { type: 'member.put', memberId, fields, wallets },
      this.#enrolments(),
      { type: 'member.update', memberId, fields },
      { type: 'member.update', memberId, fields: { accounts }, status },
      { type: 'member.remove', memberId, forfeit: this.#is(0.7), erase: this.#is(0.5) },
    ]);
  }

  #enrolments(): Said {
    const members = Array.from({ length: this.#upTo(4) }, () => ({
      memberId: this.#pick([...MEMBERS, null]),
      fields: { username: this.#text() },
      wallets: this.#is(0.3) ? [this.#wallet()] : [],
      balances: [{ realmPointId: this.#pick(['points', 'gems']), tokens: this.#pick([7, 0, -2]) }],
    }));
    const opensPresent = this.#is(0.5);
    const description = this.#text();
    return { type: 'member.batch', atomic: this.#is(0.3), opensPresent, description, members };
  }

  #ofWallet(realmId: string): Said {
    const wallet = this.#wallet();
    const { key: walletKey, address } = wallet;
    const memberId = this.#pick(MEMBERS);
    const primary = this.#is(0.5);
    const nonce = `nonce${String(this.#made++).padStart(12, '0')}`;
    const site = { network: 'eip155:1', serviceUrl: 'https://x.example/' };
    const challenge = { type: 'wallet.challenge' as const, memberId, wallet, nonce, ...site };
    return this.#pick<Said>([
      challenge,
      challenge,
      this.#signed(realmId) ?? challenge,
      { type: 'wallet.link', memberId, wallet, primary, proof: null },
      { type: 'wallet.unlink', memberId, walletKey, address },
    ]);
  }

  #signed(realmId: string): Said | null {
    const issued = this.#challenges.filter(({ command }) => command.realmId === realmId);
    if (issued.length === 0) return null;
    const { command, message } = this.#pick(issued);
    const { memberId, wallet } = command;
    const proof = { message, signature: 's', check: 'by-key' as const };
    return { type: 'wallet.link', memberId, wallet, primary: this.#is(0.5), proof };
  }

  #ofBalances(): Said {
    const entry = this.#entry();
    const entries = Array.from({ length: 5 }, () => ({ ...this.#entry(), tokens: this.#debit() }));
    return this.#pick<Said>([
      { type: 'points.change', ...entry },
      { type: 'points.change', ...entry, username: this.#text() },
      { type: 'points.transfer', ...entry, recipientId: this.#pick(MEMBERS) },
      { type: 'points.batch', atomic: this.#is(0.5), entries },
    ]);
  }

  #ofPoints(): Said {
    const given = { description: this.#text(), tokens: this.#pick([null, 1]) };
    return this.#pick<Said>([
      ...Array.from({ length: 4 }, () => this.#ofBalances()),
      {
        type: 'points.reverse',
        ...given,
        transactionId: this.#upTo(LAST_RECORD),
        force: this.#is(0.5),
      },
    ]);
  }

  #ofHold(): Said {
    const holdId = this.#upTo(LAST_RECORD);
    const entry = { ...this.#entry(), tokens: this.#upTo(4) };
    const recipientId = this.#pick([null, entry.memberId]);
    return this.#pick<Said>([
      { type: 'hold.create', ...entry, expiresInSeconds: this.#pick([1, 60]) },
      { type: 'hold.create', ...entry, expiresInSeconds: 60 },
      { type: 'hold.capture', holdId, tokens: this.#pick([null, 1]), recipientId },
      { type: 'hold.release', holdId },
      { type: 'hold.expire', holdId },
    ]);
  }

  #ofOffer(): Said {
    const offerId = this.#pick(['daily', 'hat']);
    const claimId = this.#upTo(LAST_RECORD);
    const perMember = { times: this.#pick([1, 2]), period: 'day' as const };
    const streak = this.#pick([null, { bonus: [0, 5], graceDays: 1 }]);
    const terms = { ...DEFAULT_TERMS, name: offerId, gives: { points: 9 }, perMember, streak };
    const changes = { costs: { points: this.#upTo(3) }, stock: this.#pick([null, 9]) };
    const claim = { offerId, memberId: this.#pick(MEMBERS), quantity: this.#upTo(2) };
    return this.#pick<Said>([
      { type: 'offer.create', offerId, terms },
      { type: 'offer.create', offerId, terms: { ...terms, delivery: 'manual' } },
      { type: 'offer.update', offerId, changes },
      { type: 'offer.claim', ...claim, expectedCosts: null },
      {
        type: 'offer.claim',
        ...claim,
        expectedCosts: null,
        metadata: { note: this.#text() ?? '' },
      },
      { type: 'claim.deliver', claimId },
      { type: 'claim.reject', claimId },
    ]);
  }

  #entry() {
    const realmPointId = this.#pick([null, null, 'gems']);
    const tokens = this.#upTo(20);
    const entry = { memberId: this.#pick(MEMBERS), tokens, realmPointId };
    const said = { reference: this.#pick(['order-1', 'order-2']), metadata: { item: 'hat' } };
    return { ...entry, description: this.#text(), ...(this.#is(0.2) && said) };
  }

  // Members of both in the order of the model, as the service has them: records keep it.
  #asset(id: string): Asset {
    const contract = `0x${this.#made++}`;
    return { id, chain: 'eip155:1', standard: 'erc20', contract, tokenId: null, symbol: null };
  }

  #kind(id: string): PointKind {
    const symbol = this.#pick([null, 'g']);
    const bounds = { minimumBalance: -5, maximumBalance: 1_000 };
    const flags = { isDefault: false, isTransferable: true };
    return { id, name: 'g', symbol, ...flags, ...bounds, archived: false };
  }

  #wallet(): Address {
    const number = this.#upTo(4);
    const address = `0x${String(number).padStart(40, '0')}`;
    return { chain: 'eip155', address, key: address.toLowerCase() };
  }

  #debit = (): number => this.#pick([5, -3, 0]);
  #is = (chance: number): boolean => this.#random() < chance;
  #upTo = (most: number): number => 1 + Math.floor(this.#random() * most);
  #text = (): string | null => this.#pick(TEXTS) || null;
  #pick = <T>(all: readonly T[]): T => all[Math.floor(this.#random() * all.length)] as T;
}
