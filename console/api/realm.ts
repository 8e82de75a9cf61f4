import { type CallOptions, call } from './call.ts';
import type * as t from './types.ts';

type Write = Pick<CallOptions, 'idempotencyKey'>;
type Read = Pick<CallOptions, 'signal'>;

export interface Change {
  tokens: number;
  description?: string;
  realmPointId?: string;
}

export interface MemberFields {
  id?: string;
  username?: string | null;
  displayName?: string | null;
  accounts?: t.Account[];
  wallets?: string[];
  metadata?: Record<string, unknown>;
  status?: 'active' | 'frozen';
  balances?: t.Amounts;
}

/** What the console asks of one realm. */
export class RealmApi {
  readonly id: string;
  readonly #path: string;

  constructor(id: string) {
    this.id = id;
    this.#path = `/realms/${encodeURIComponent(id)}`;
  }

  member(id: string): MemberApi {
    return new MemberApi(`${this.#path}`, id);
  }

  get(): Promise<t.Realm> {
    return call('GET', this.#path);
  }

  update(body: { name?: string; settings?: Partial<t.RealmSettings> }, write: Write) {
    return call<t.Realm>('PATCH', this.#path, { ...write, body });
  }

  members(query: object, read: Read = {}): Promise<t.Page<t.Member>> {
    return call('GET', `${this.#path}/members`, { ...read, query });
  }

  enrol(body: MemberFields, write: Write): Promise<t.Member> {
    return call('POST', `${this.#path}/members`, { ...write, body });
  }

  enrolMany(members: MemberFields[], write: Write) {
    const body = { atomic: false, members };
    return call<{ results: { memberId: string | null; problem?: { detail: string } }[] }>(
      'POST',
      `${this.#path}/members/batch`,
      { ...write, body },
    );
  }

  kinds(): Promise<t.Page<t.Kind>> {
    return call('GET', `${this.#path}/points`);
  }

  createKind(body: Partial<t.Kind>, write: Write): Promise<t.Kind> {
    return call('POST', `${this.#path}/points`, { ...write, body });
  }

  updateKind(id: string, body: Partial<t.Kind>, write: Write): Promise<t.Kind> {
    return call('PATCH', `${this.#path}/points/${id}`, { ...write, body });
  }

  transactions(query: object): Promise<t.Page<t.Transaction>> {
    return call('GET', `${this.#path}/transactions`, { query });
  }

  reverse(transactionId: number, write: Write): Promise<{ transactionId: number }> {
    const path = `${this.#path}/transactions/${transactionId}/reversal`;
    return call('POST', path, { ...write, body: {} });
  }

  capture(holdId: number, body: { tokens?: number; recipientId?: string }, write: Write) {
    const path = `${this.#path}/holds/${holdId}/capture`;
    return call<{ transactionId: number }>('POST', path, { ...write, body });
  }

  release(holdId: number, write: Write): Promise<t.Hold> {
    return call('POST', `${this.#path}/holds/${holdId}/release`, write);
  }

  leaderboard(query: object) {
    return call<{ members: t.Standing[]; nextCursor: string | null; total: number; asOf: string }>(
      'GET',
      `${this.#path}/leaderboard`,
      { query },
    );
  }

  includes(wallets: string[]) {
    return call<{
      results: { wallet: string; included: boolean; memberId: string | null; verified: boolean }[];
    }>('POST', `${this.#path}/members/includes`, { body: { wallets } });
  }

  events(query: { after: number; limit: number }, read: Read = {}) {
    return call<{ items: t.Event[]; lastSeq: number }>('GET', `${this.#path}/events`, {
      ...read,
      query,
    });
  }

  keys(query: object = {}): Promise<t.Page<t.Key>> {
    return call('GET', `${this.#path}/keys`, { query });
  }

  createKey(body: { name: string; scopes: t.Scope[]; expiresAt?: string }, write: Write) {
    return call<t.Key & { key: string | null }>('POST', `${this.#path}/keys`, { ...write, body });
  }

  rotateKey(id: string, overlapSeconds: number, write: Write) {
    const path = `${this.#path}/keys/${id}/rotate`;
    return call<t.Key & { key: string | null }>('POST', path, {
      ...write,
      body: { overlapSeconds },
    });
  }

  revokeKey(id: string): Promise<null> {
    return call('DELETE', `${this.#path}/keys/${id}`);
  }

  startVerification(): Promise<t.Verification> {
    return call('POST', `${this.#path}/verify`);
  }

  verification(id: string): Promise<t.Verification> {
    return call('GET', `${this.#path}/verify/${id}`);
  }
}

export class MemberApi {
  readonly #path: string;
  readonly #web3: string;

  constructor(realm: string, id: string) {
    this.#path = `${realm}/members/${id}`;
    this.#web3 = `${realm}/web3/members/${id}`;
  }

  get(read: Read = {}): Promise<t.Member> {
    return call('GET', this.#path, read);
  }

  update(body: MemberFields, write: Write): Promise<t.Member> {
    return call('PATCH', this.#path, { ...write, body });
  }

  remove(query: { forfeit: boolean }): Promise<null> {
    return call('DELETE', this.#path, { query });
  }

  /** Adds points, or takes them if the amount is negative. */
  change(body: Change, write: Write): Promise<{ newBalance: number; transactionId: number }> {
    return call('PATCH', `${this.#path}/tokenBalance`, { ...write, body });
  }

  transfer(body: Change & { recipientId: string }, write: Write) {
    return call<{ transactionId: number }>('PATCH', `${this.#path}/transfer`, { ...write, body });
  }

  hold(body: Change & { expiresInSeconds?: number }, write: Write): Promise<t.Hold> {
    return call('POST', `${this.#path}/holds`, { ...write, body });
  }

  holds(query: object): Promise<t.Page<t.Hold>> {
    return call('GET', `${this.#path}/holds`, { query });
  }

  transactions(query: object): Promise<t.Page<t.Transaction>> {
    return call('GET', `${this.#path}/transactions`, { query });
  }

  web3(): Promise<{ wallets: t.Wallet[]; assets: t.Holding[] }> {
    return call('GET', this.#web3);
  }

  linkWallet(body: { address: string }, write: Write): Promise<t.Wallet> {
    return call('POST', `${this.#path}/wallets`, { ...write, body });
  }

  unlinkWallet(address: string): Promise<null> {
    return call('DELETE', `${this.#path}/wallets/${encodeURIComponent(address)}`);
  }
}
